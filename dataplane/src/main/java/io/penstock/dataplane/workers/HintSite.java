package io.penstock.dataplane.workers;

/**
 * One rank's part in KvHints.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param take how it is told
 * @param type kind of worker: blocks of one kind are of no use to another
 * @param source control endpoint at which others fetch its blocks, or null
 * @param agent name of its NIXL agent, or null
 * @param agentHost host at which the agent listens for metadata
 * @param agentPort port of that
 */
public record HintSite(HintWay take, String type, String source, String agent, String agentHost, int agentPort) {
    /** No part. */
    public static final HintSite NONE = new HintSite(HintWay.NONE, "", null, null, null, 0);

    /** Whether it may be told to fetch from {@code other}. */
    public boolean fetchesFrom(HintSite other) {
        return take != HintWay.NONE && other.source != null && type.equals(other.type);
    }
}
