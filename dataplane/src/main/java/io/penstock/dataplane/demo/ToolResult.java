package io.penstock.dataplane.demo;

/**
 * What came of the tool call before a turn.
 *
 * @param callId the answer's name of the call
 * @param tool name of the tool
 * @param ms from the answer to the result
 */
record ToolResult(String callId, String tool, long ms) {}
