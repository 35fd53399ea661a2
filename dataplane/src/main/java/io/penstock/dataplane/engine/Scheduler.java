package io.penstock.dataplane.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * vLLM's continuous batching, one pass at a time: which requests compute how many tokens, on which blocks.
 *
 * <p>A pass takes running requests first, in order, each its remaining prompt or one decode token within the token
 * budget; then waiting
 * ones, first come first served, stopping at the first that does not fit. A running request that finds no block
 * preempts the
 * newest running one, whose blocks go back and which waits in front. Blocks filled in a pass are cached when it begins,
 * so later requests of the same pass hit
 * them; tokens and events become visible when it ends.
 *
 * <p>Pure: it has no clock and no thread. {@link #beginPass} answers how long the pass takes, {@link #endPass} ends it.
 *
 * <p><b>Threading:</b> owned by one thread. <b>Cost:</b> per pass a step for each running request; output arrays grow,
 * nothing else is allocated.
 */
final class Scheduler {
    private final BlockPool pool;
    private final PassTiming timing;
    private final KvEventSink sink;
    private final EngineStats stats;
    private final int blockSize;
    private final int maxNumSeqs;
    private final int maxNumBatchedTokens;
    private final long poolTokens;
    private final ArrayDeque<Sequence> waiting = new ArrayDeque<>();
    private final List<Sequence> running = new ArrayList<>();
    private final List<Sequence> inPass = new ArrayList<>();
    private int budget;

    Scheduler(EngineConfig config, BlockPool pool, KvEventSink sink, EngineStats stats) {
        this.pool = pool;
        this.sink = sink;
        this.stats = stats;
        this.timing =
                new PassTiming(config.batching().speedup(), config.batching().decodeSpeedup());
        this.blockSize = config.cache().blockSize();
        this.maxNumSeqs = config.batching().maxNumSeqs();
        this.maxNumBatchedTokens = config.batching().maxNumBatchedTokens();
        this.poolTokens = (long) config.cache().blocks() * blockSize;
    }

    /** Puts a sequence at the end of the queue. Its prompt and output must fit the pool: the front has checked that. */
    void submit(Sequence sequence, long nowNs) {
        sequence.arrivalNs = nowNs;
        waiting.addLast(sequence);
        note();
    }

    /** Takes a sequence out, wherever it is, and frees its blocks; between passes only. */
    boolean cancel(Sequence sequence, FinishReason reason) {
        if (sequence.finished != null || !(running.remove(sequence) || waiting.remove(sequence))) {
            return false;
        }
        sequence.releaseBlocks(pool);
        sequence.finished = reason;
        stats.finished(sequence, reason);
        note();
        sequence.listener().onAborted(sequence, reason);
        return true;
    }

    /** Takes all sequences out. */
    void cancelAll(FinishReason reason) {
        while (!running.isEmpty()) {
            cancel(running.getLast(), reason);
        }
        while (!waiting.isEmpty()) {
            cancel(waiting.getLast(), reason);
        }
    }

    /** Whether a pass would do anything. */
    boolean hasWork() {
        return !running.isEmpty() || !waiting.isEmpty();
    }

    int runningCount() {
        return running.size();
    }

    int waitingCount() {
        return waiting.size();
    }

    /** Whether the cache could be forgotten: only while no sequence holds blocks. */
    boolean resetPrefixCache() {
        return pool.reset();
    }

    /** Plans a pass and changes the pool accordingly. Answers how long it takes, in nanoseconds. */
    long beginPass(long nowNs) {
        budget = maxNumBatchedTokens;
        inPass.clear();
        boolean preempted = scheduleRunning();
        if (!preempted) {
            admit(nowNs);
        }
        long prefill = 0;
        long context = 0;
        int decoding = 0;
        for (Sequence s : inPass) {
            if (s.decoding) {
                decoding++;
                context += s.length();
            } else {
                prefill += s.scheduled;
            }
        }
        note();
        return timing.durationNs(prefill, decoding, context, poolTokens);
    }

    /** Ends the pass: one token for each sequence that is computed to its end. */
    void endPass(long nowNs) {
        for (Sequence s : inPass) {
            s.computed += s.scheduled;
            if (s.computed < s.length()) {
                continue;
            }
            s.decoding = true;
            int output = s.outputs();
            int token = s.plan().token(output);
            s.appendToken(token);
            stats.token(s, nowNs);
            FinishReason end = output + 1 == s.plan().length() ? s.plan().end() : null;
            if (end != null) {
                s.finished = end;
                running.remove(s);
                s.releaseBlocks(pool);
                stats.finished(s, end);
            }
            s.listener().onToken(s, output, token, end);
        }
        inPass.clear();
        note();
    }

    private boolean scheduleRunning() {
        boolean preempted = false;
        for (int i = 0; i < running.size() && budget > 0; i++) {
            Sequence s = running.get(i);
            int tokens = Math.min(s.length() - s.computed, budget);
            boolean fits = allocate(s, tokens);
            while (!fits) {
                Sequence victim = running.removeLast();
                preempt(victim);
                preempted = true;
                if (victim == s) {
                    return true;
                }
                fits = allocate(s, tokens);
            }
            schedule(s, tokens);
        }
        return preempted;
    }

    private void admit(long nowNs) {
        while (budget > 0 && running.size() < maxNumSeqs && !waiting.isEmpty()) {
            Sequence s = waiting.peekFirst();
            int full = (s.length() - 1) / blockSize;
            s.hashes().extendTo(s.tokens(), full);
            int hits = 0;
            int idleHits = 0;
            while (hits < full) {
                int block = pool.find(s.hashes().wire(hits));
                if (block < 0) {
                    break;
                }
                idleHits += pool.references(block) == 0 ? 1 : 0;
                hits++;
            }
            // A hit that nobody holds is counted among the free blocks: taking it leaves one less for the rest.
            if (blocksOf(s.length()) - hits > pool.free() - idleHits) {
                return;
            }
            waiting.removeFirst();
            for (int i = 0; i < hits; i++) {
                int block = pool.find(s.hashes().wire(i));
                pool.touch(block);
                s.addBlock(block);
            }
            s.computed = hits * blockSize;
            s.published = hits;
            stats.admitted(s, hits * blockSize, nowNs);
            if (s.reportHits() && hits > 0) {
                sink.stored(s, 0, hits);
            }
            int tokens = Math.min(s.length() - s.computed, budget);
            boolean fits = allocate(s, tokens);
            assert fits : "admission counted wrongly";
            running.add(s);
            schedule(s, tokens);
        }
    }

    private boolean allocate(Sequence s, int tokens) {
        int reached = s.computed + tokens;
        int needed = blocksOf(reached) - s.blockCount();
        if (needed > pool.free()) {
            return false;
        }
        for (int i = 0; i < needed; i++) {
            s.addBlock(pool.take());
        }
        int full = reached / blockSize;
        if (full > s.published) {
            s.hashes().extendTo(s.tokens(), full);
            pool.publish(s, s.published, full);
            s.published = full;
        }
        return true;
    }

    private void schedule(Sequence s, int tokens) {
        s.scheduled = tokens;
        budget -= tokens;
        inPass.add(s);
    }

    private void preempt(Sequence victim) {
        victim.releaseBlocks(pool);
        victim.preemptions++;
        stats.preempted();
        waiting.addFirst(victim);
    }

    private int blocksOf(int tokens) {
        return (tokens + blockSize - 1) / blockSize;
    }

    private void note() {
        stats.queues(running.size(), waiting.size(), pool.usable() - pool.free(), pool.usable());
    }
}
