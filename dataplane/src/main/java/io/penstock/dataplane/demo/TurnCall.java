package io.penstock.dataplane.demo;

import io.penstock.dataplane.trace.Turn;

/**
 * A turn as it is sent.
 *
 * @param session id of the session, sent as a header
 * @param parent session that started it, or null
 * @param turn what is asked
 * @param last whether the session ends with it
 */
record TurnCall(String session, String parent, Turn turn, boolean last) {}
