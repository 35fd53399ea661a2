package io.penstock.dataplane.export;

/**
 * What is kept of a request between the two looks at a trace: all but its hashes.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param position of its record in the source
 * @param id unique in the trace
 * @param session its agent; a request that names none is an agent of its own, named like the request
 * @param named whether the request named its session
 * @param parent the agent that started the agent, or null
 * @param span when it ran
 * @param blockSize tokens of a block of its hashes
 */
record ReplayRequest(
        long position, String id, String session, boolean named, String parent, RequestSpan span, int blockSize)
        implements Comparable<ReplayRequest> {

    long startMs() {
        return span.startMs();
    }

    long endMs() {
        return span.endMs();
    }

    /** By start, end, id: the order of Dynamo's replay. */
    @Override
    public int compareTo(ReplayRequest other) {
        int byStart = Long.compare(startMs(), other.startMs());
        if (byStart != 0) {
            return byStart;
        }
        int byEnd = Long.compare(endMs(), other.endMs());
        return byEnd != 0 ? byEnd : id.compareTo(other.id);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ReplayRequest request && request.id.equals(id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }
}
