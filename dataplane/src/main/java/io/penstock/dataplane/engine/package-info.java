/**
 * The simulated engine: an OpenAI- and Anthropic-compatible server with vLLM's block pool, scheduler, KV events and
 * metrics, and a timing model in place of a GPU.
 *
 * <p>It is held to recorded vLLM behaviour: the tests drive it with recorded requests and compare frames, usage and
 * answers.
 * From the inside out: {@link io.penstock.dataplane.engine.BlockPool} and {@link
 * io.penstock.dataplane.engine.Scheduler} are pure
 * and stepped with any clock; {@link io.penstock.dataplane.engine.EngineRank} runs one scheduler in real time;
 * {@link io.penstock.dataplane.engine.SimulatedEngine} puts ranks, ZMQ sockets and the HTTP server together.
 */
package io.penstock.dataplane.engine;
