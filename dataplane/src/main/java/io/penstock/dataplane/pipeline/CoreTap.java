package io.penstock.dataplane.pipeline;

import io.penstock.dataplane.core.RouterCore;
import io.penstock.dataplane.routing.BusyThresholds;

/**
 * Hears every input of the core in the order taken, each just before it is applied, and every decision just after.
 *
 * <p>What is learnt of shared pools is not heard: their answers come with the requests.
 *
 * <p>Inputs are numbered: {@code seq}, one more each time, from {@link #firstSeq} on. What is heard suffices to make the
 * same decisions again, {@link RouterCore} being a function of its inputs.
 *
 * <p><b>Threading:</b> called by the core's thread, but {@link #started} before it runs. An implementation must not block,
 * allocate or throw for requests and KV events, and must copy what it wants to keep.
 */
public interface CoreTap {
    /** Hears nothing. */
    CoreTap NONE = new CoreTap() {};

    /** Number of the first input. */
    default long firstSeq() {
        return 1;
    }

    /** The indexes as the core is to be given them: the way to hear of those opened. */
    default PrefixIndexFactory indexes(PrefixIndexFactory factory) {
        return factory;
    }

    /** A core was made, empty; {@code life} as in its constructor. */
    default void started(long seq, int life) {}

    /** The core failed; what comes until the next {@link #started} changes nothing. */
    default void failed(long seq) {}

    /** The core takes nothing more; its indexes are about to be closed. */
    default void ended() {}

    /** A request is to be placed; {@code request.pageRanges} is what shared pools hold of it. */
    default void route(long seq, long timeNs, RouteRequest request) {}

    /** The request was placed, or refused: {@code request.decision}. */
    default void decided(long seq, RouteRequest request) {}

    /** First token of a request. */
    default void firstToken(long seq, long timeNs, long ticket) {}

    /** Progress of a request. */
    default void progress(long seq, long timeNs, long ticket, int outputTokens) {}

    /** End of a request. */
    default void finished(long seq, long timeNs, long ticket, int cachedTokens) {}

    /** Time went by; {@code tick} false: it was told and nothing else. */
    default void time(long seq, long timeNs, boolean tick) {}

    /** Blocks became resident; then {@link RouterCore#advance} with {@code mostSteps}. */
    default void stored(
            long seq,
            long timeNs,
            int slot,
            int tier,
            boolean root,
            long parentEngineHash,
            BlockBuffer blocks,
            int mostSteps) {}

    /** Blocks left; then {@link RouterCore#advance} with {@code mostSteps}. */
    default void removed(long seq, long timeNs, int slot, int tier, BlockBuffer blocks, int mostSteps) {}

    /** The KV event in hand goes on. */
    default void advanced(long seq, int mostSteps) {}

    /** A sweep did something: the only input heard of after it was applied. */
    default void swept(long seq, int mostSteps, int used) {}

    /** An engine dropped all. */
    default void cleared(long seq, long timeNs, int slot) {}

    /** A batch's end. */
    default void batchEnd(long seq, long timeNs, int slot, long sequence, long timestampBits, long batchHash) {}

    /** An engine is proven. */
    default void proven(long seq, long timeNs, int slot) {}

    /** An engine's past is lost. */
    default void cold(long seq, long timeNs, int slot) {}

    /** An engine is in doubt. */
    default void doubted(long seq, long timeNs, int slot) {}

    /** A worker comes, or comes again; {@code wanted} as in {@link RouterCore#addWorker}. */
    default void addWorker(long seq, long timeNs, WorkerAddition worker, int[] wanted) {}

    /** A worker is drained. */
    default void drain(long seq, long timeNs, int worker) {}

    /** A worker is removed. */
    default void remove(long seq, long timeNs, int worker) {}

    /** A worker's health. */
    default void healthy(long seq, long timeNs, int worker, boolean healthy) {}

    /** A model's busy thresholds. */
    default void thresholds(long seq, long timeNs, int model, BusyThresholds thresholds) {}

    /** The core stands between two inputs, no KV event in hand; {@code seq} is the last that was applied. */
    default void atRest(long seq, RouterCore core) {}
}
