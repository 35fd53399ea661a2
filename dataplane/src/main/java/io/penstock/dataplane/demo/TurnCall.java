package io.penstock.dataplane.demo;

import io.penstock.dataplane.trace.Turn;

/**
 * A turn as it is sent.
 *
 * @param agent who sends it
 * @param turn what is asked
 * @param last whether the session ends with it
 * @param result what the tool called by the turn before gave, or null after a text
 */
record TurnCall(AgentIdentity agent, Turn turn, boolean last, ToolResult result) {}
