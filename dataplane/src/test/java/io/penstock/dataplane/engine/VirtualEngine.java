package io.penstock.dataplane.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.Value;

/** A scheduler with its pool and packer on a virtual clock: steps passes, keeps the batches that would be published. */
final class VirtualEngine implements Sequence.Listener {
    final EngineConfig config;
    final EngineStats stats = new EngineStats();
    final BlockHasher hasher;
    final KvEventPacker packer;
    final BlockPool pool;
    final Scheduler scheduler;
    final List<byte[]> batches = new ArrayList<>();
    final Map<Sequence, FinishReason> ended = new LinkedHashMap<>();
    private final int rank;
    long nowNs;

    VirtualEngine(EngineConfig config) {
        this(config, 0);
    }

    VirtualEngine(EngineConfig config, int rank) {
        this.config = config;
        this.rank = rank;
        EngineConfig.Cache cache = config.cache();
        int digestBytes = cache.hashAlgorithm().digestBytes();
        hasher = new BlockHasher(cache.hashAlgorithm(), cache.hashSeed(), cache.blockSize());
        packer = new KvEventPacker(cache.blockSize(), config.events().intHashes(), digestBytes);
        pool = new BlockPool(cache.blocks(), config.events().intHashes() ? 0 : digestBytes, packer);
        scheduler = new Scheduler(config, pool, packer, stats);
    }

    /** Submits a prompt that will be answered with the given tokens. */
    Sequence submit(int[] prompt, int[] output, String salt, String session, boolean reportHits) {
        BlockHashes hashes = new BlockHashes(hasher, config.cache().blockSize(), null, salt, 4);
        OutputPlan plan = new OutputPlan() {
            @Override
            public int length() {
                return output.length;
            }

            @Override
            public FinishReason end() {
                return FinishReason.LENGTH;
            }

            @Override
            public int token(int index) {
                return output[index];
            }
        };
        Sequence sequence = new Sequence(prompt.clone(), hashes, plan, salt, null, session, reportHits, this);
        scheduler.submit(sequence, nowNs);
        return sequence;
    }

    Sequence submit(int[] prompt, int outputs) {
        return submit(prompt, range(10_000, outputs), null, null, false);
    }

    /** One pass; answers its length in nanoseconds. */
    long pass() {
        long duration = scheduler.beginPass(nowNs);
        nowNs += duration;
        scheduler.endPass(nowNs);
        if (packer.count() > 0) {
            batches.add(packer.finish(0, rank));
        }
        return duration;
    }

    void runToEnd() {
        while (scheduler.hasWork()) {
            pass();
        }
    }

    /** Submits and runs alone. */
    Sequence run(int[] prompt, int outputs) {
        Sequence s = submit(prompt, outputs);
        runToEnd();
        return s;
    }

    /** Events of a batch as maps. */
    static List<Map<Value, Value>> events(byte[] payload) {
        try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(payload)) {
            List<Map<Value, Value>> events = new ArrayList<>();
            for (Value event : unpacker.unpackValue().asArrayValue().get(1).asArrayValue()) {
                events.add(event.asMapValue().map());
            }
            return events;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** All events of all batches so far. */
    List<Map<Value, Value>> events() {
        return batches.stream().flatMap(b -> events(b).stream()).toList();
    }

    static String type(Map<Value, Value> event) {
        return field(event, "type").asStringValue().asString();
    }

    static Value field(Map<Value, Value> event, String name) {
        return event.get(org.msgpack.value.ValueFactory.newString(name));
    }

    static List<Long> hashes(Map<Value, Value> event) {
        List<Long> hashes = new ArrayList<>();
        for (Value hash : field(event, "block_hashes").asArrayValue()) {
            hashes.add(hash.asIntegerValue().toBigInteger().longValue());
        }
        return hashes;
    }

    static int[] range(int from, int count) {
        int[] tokens = new int[count];
        for (int i = 0; i < count; i++) {
            tokens[i] = from + i;
        }
        return tokens;
    }

    @Override
    public void onToken(Sequence sequence, int output, int token, FinishReason end) {
        if (end != null) {
            ended.put(sequence, end);
        }
    }

    @Override
    public void onAborted(Sequence sequence, FinishReason end) {
        ended.put(sequence, end);
    }
}
