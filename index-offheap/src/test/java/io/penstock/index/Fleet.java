package io.penstock.index;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Engines that live and die in simulated time and tell an index about their caches: turns of sessions over shared
 * programs, decoded blocks one by one, the least recently used block evicted first and a prompt's tail before its head,
 * restarts and clears. Knows at any moment what each holds, so that the same content can be told to a fresh index.
 *
 * <p><b>Threading:</b> owned by a test.
 */
final class Fleet {
    private static final int PROGRAMS = 24;
    private static final int SWEEP_STEPS = 64;

    private record Block(long parent, long local) {}

    private static final class Engine {
        int slot;
        String name;
        /** From the least recently used. */
        final LinkedHashMap<Long, Block> cache = new LinkedHashMap<>(16, 0.75f, true);
    }

    private static final class Session {
        long[] local = new long[256];
        long[] sequence = new long[256];
        int blocks;
        int turnsLeft;
        int engine;

        void add(long hash) {
            if (blocks == local.length) {
                local = Arrays.copyOf(local, blocks * 2);
                sequence = Arrays.copyOf(sequence, blocks * 2);
            }
            local[blocks] = hash;
            sequence[blocks] = blocks == 0 ? hash : ChainHash.next(sequence[blocks - 1], hash);
            blocks++;
        }
    }

    private final Random random;
    private final int cacheBlocks;
    private final List<Engine> engines = new ArrayList<>();
    private final List<Session> sessions = new ArrayList<>();
    private final long[][] programs = new long[PROGRAMS][];
    private int lives;

    Fleet(long seed, int engines, int cacheBlocks, int sessions) {
        random = new Random(seed);
        this.cacheBlocks = cacheBlocks;
        for (int program = 0; program < PROGRAMS; program++) {
            programs[program] = random.longs(20 + random.nextInt(200)).toArray();
        }
        for (int engine = 0; engine < engines; engine++) {
            this.engines.add(new Engine());
        }
        for (int session = 0; session < sessions; session++) {
            this.sessions.add(session());
        }
    }

    private static long engineHash(long sequence) {
        return sequence * 31;
    }

    private Session session() {
        Session session = new Session();
        int program = (int) (PROGRAMS * Math.pow(random.nextDouble(), 3));
        for (long hash : programs[program]) {
            session.add(hash);
        }
        session.turnsLeft = 1 + random.nextInt(30);
        session.engine = random.nextInt(engines.size());
        return session;
    }

    /** Every engine comes up. */
    void start(PrefixIndex index) {
        engines.forEach(engine -> begin(index, engine));
    }

    private void begin(PrefixIndex index, Engine engine) {
        engine.name = "http://engine-" + lives++ + ":8000";
        engine.slot = index.openSlot(engine.name, 0);
        engine.cache.clear();
    }

    /** One second: a turn, perhaps the end of an engine's life, a slice of the sweep. */
    void second(PrefixIndex index, double restartsASecond) {
        if (random.nextDouble() < restartsASecond) {
            Engine engine = engines.get(random.nextInt(engines.size()));
            if (random.nextInt(4) == 0) {
                index.clearSlot(engine.slot);
                engine.cache.clear();
                lives++;
            } else {
                index.removeSlot(engine.slot);
                begin(index, engine);
            }
        }
        int which = random.nextInt(sessions.size());
        Session session = sessions.get(which);
        turn(index, session);
        if (--session.turnsLeft == 0) {
            sessions.set(which, session());
        }
        index.sweep(SWEEP_STEPS);
    }

    private void turn(PrefixIndex index, Session session) {
        if (random.nextInt(10) == 0) {
            session.engine = random.nextInt(engines.size());
        }
        for (int prompt = random.nextInt(40); prompt > 0; prompt--) {
            session.add(random.nextLong());
        }
        Engine engine = engines.get(session.engine);
        hold(index, engine, session, session.blocks);
        int decoded = random.nextInt(20);
        for (int block = 0; block < decoded; block++) {
            session.add(random.nextLong());
            hold(index, engine, session, 1);
        }
        touch(engine, session);
    }

    /** The last {@code count} blocks of the session, as far as the engine lacks them, and what must go for them. */
    private void hold(PrefixIndex index, Engine engine, Session session, int count) {
        int from = session.blocks - count;
        while (from < session.blocks && engine.cache.containsKey(session.sequence[from])) {
            from++;
        }
        int missing = session.blocks - from;
        if (missing == 0) {
            return;
        }
        if (from > 0) {
            touch(engine, session);
        }
        evict(index, engine, engine.cache.size() + missing - cacheBlocks);
        // Never the session's own blocks, just used: sessions are shorter than caches.
        store(index, engine, session.local, session.sequence, from, missing);
        for (int at = session.blocks - 1; at >= from; at--) {
            engine.cache.put(
                    session.sequence[at], new Block(at == 0 ? 0 : session.sequence[at - 1], session.local[at]));
        }
    }

    /** From the tail, so that no block is younger than its parent: caches stay closed under prefixes. */
    private static void touch(Engine engine, Session session) {
        for (int at = session.blocks - 1; at >= 0; at--) {
            engine.cache.get(session.sequence[at]);
        }
    }

    private static void store(PrefixIndex index, Engine engine, long[] local, long[] sequence, int from, int count) {
        long[] hashes = new long[count];
        long[] contents = new long[count];
        for (int i = 0; i < count; i++) {
            hashes[i] = engineHash(sequence[from + i]);
            contents[i] = local[from + i];
        }
        long parent = from == 0 ? 0 : engineHash(sequence[from - 1]);
        long stored = index.stored(engine.slot, Tier.DEVICE, from == 0, parent, hashes, contents, 0, count);
        if (stored != count) {
            throw new IllegalStateException("not taken in: answer=" + stored + ", from=" + from + ", count=" + count);
        }
    }

    private static void evict(PrefixIndex index, Engine engine, int count) {
        if (count <= 0) {
            return;
        }
        long[] hashes = new long[count];
        Iterator<Long> oldest = engine.cache.keySet().iterator();
        for (int i = 0; i < count; i++) {
            hashes[i] = engineHash(oldest.next());
            oldest.remove();
        }
        long removed = index.removed(engine.slot, Tier.DEVICE, hashes, 0, count);
        if (removed != count) {
            throw new IllegalStateException("not removed: answer=" + removed + ", count=" + count);
        }
    }

    /** Tells an empty index what is held now, whole branches at once. */
    void tell(PrefixIndex fresh) {
        for (Engine engine : engines) {
            Engine twin = new Engine();
            twin.slot = fresh.openSlot(engine.name, 0);
            // A copy: reads of the cache itself count as uses.
            Map<Long, Block> held = new HashMap<>(engine.cache);
            Map<Long, List<Long>> children = new HashMap<>();
            for (Map.Entry<Long, Block> entry : engine.cache.entrySet()) {
                children.computeIfAbsent(entry.getValue().parent, ignored -> new ArrayList<>())
                        .add(entry.getKey());
            }
            Deque<Long> begins = new ArrayDeque<>(children.getOrDefault(0L, List.of()));
            while (!begins.isEmpty()) {
                branch(fresh, twin, held, children, begins);
            }
        }
    }

    private static void branch(
            PrefixIndex fresh, Engine twin, Map<Long, Block> held, Map<Long, List<Long>> children, Deque<Long> begins) {
        Long at = begins.pop();
        List<Long> above = new ArrayList<>();
        for (long up = held.get(at).parent; up != 0; up = held.get(up).parent) {
            above.add(up);
        }
        Session chain = new Session();
        above.reversed().forEach(block -> chain.add(held.get(block).local));
        int from = chain.blocks;
        while (at != null) {
            chain.add(held.get(at).local);
            List<Long> next = children.getOrDefault(at, List.of());
            next.stream().skip(1).forEach(begins::push);
            at = next.isEmpty() ? null : next.getFirst();
        }
        store(fresh, twin, chain.local, chain.sequence, from, chain.blocks - from);
    }

    /** Every engine is gone. */
    void end(PrefixIndex index) {
        engines.forEach(engine -> index.removeSlot(engine.slot));
        while (index.sweep(Integer.MAX_VALUE) > 0) {
            // until nothing dead is left
        }
    }

    int lives() {
        return lives;
    }

    int engines() {
        return engines.size();
    }

    String name(int engine) {
        return engines.get(engine).name;
    }

    int slot(int engine) {
        return engines.get(engine).slot;
    }

    int held(int engine) {
        return engines.get(engine).cache.size();
    }

    int sessions() {
        return sessions.size();
    }

    long[] prompt(int session) {
        return Arrays.copyOf(sessions.get(session).sequence, sessions.get(session).blocks);
    }
}
