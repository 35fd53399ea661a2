package io.penstock.dataplane.hints;

import io.penstock.bindings.harness.AgentContext;
import io.penstock.dataplane.pipeline.DecisionRecord;
import io.penstock.dataplane.pipeline.FetchOffer;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.workers.WorkerEndpoint;

/**
 * A hint to be made: what was decided, and what the target could fetch.
 *
 * <p><b>Threading:</b> owned by whoever holds it; used again.
 */
final class HintOrder {
    final FetchOffer fetch = new FetchOffer();
    WorkerEndpoint target;
    int model;
    int blockSize;
    long[] hashes;
    String requestId;
    AgentContext agent;

    void of(DecisionRecord record) {
        fetch.copy(record.fetch);
        target = record.endpoint;
        model = record.model;
        blockSize = record.blockSize;
        hashes = record.hashes;
        requestId = record.requestId;
        agent = record.agent;
    }

    void of(RouteRequest route) {
        fetch.copy(route.decision.fetch);
        target = route.decision.endpoint;
        model = route.model;
        blockSize = route.decision.blockSize;
        hashes = null;
        for (int i = 0; i < route.hashings; i++) {
            if (route.blockSizes[i] == blockSize) {
                hashes = route.sequenceHashes[i];
            }
        }
        requestId = route.requestId;
        agent = route.agent;
    }

    /** Lets go of what belongs to a request. */
    void clear() {
        fetch.clear();
        target = null;
        hashes = null;
        requestId = null;
        agent = null;
    }
}
