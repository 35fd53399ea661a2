/**
 * KvHints: envelope 0.1 as Dynamo, vLLM and SGLang carry it, its action {@code kv.fetch@1.0}, and our answer to both. Fields,
 * and what SGLang refuses: vllm#53421, sglang#36224, dynamo#13134.
 */
package io.penstock.bindings.kvhint;
