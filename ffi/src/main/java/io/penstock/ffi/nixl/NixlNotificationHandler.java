package io.penstock.ffi.nixl;

import java.lang.foreign.MemorySegment;

/**
 * Takes the notifications that {@link NixlAgent#poll} finds.
 *
 * <p><b>Threading:</b> called by the thread that polls.
 */
@FunctionalInterface
public interface NixlNotificationHandler {
    /**
     * A notification came in. Must not throw: what came in with it would be lost.
     *
     * @param sender the agent that sent it
     * @param data the caller's buffer, with the notification at its begin; good until this returns
     * @param bytes length of the notification; where it is more than the buffer holds, the rest was left away
     */
    void onNotification(NixlPeer sender, MemorySegment data, long bytes);
}
