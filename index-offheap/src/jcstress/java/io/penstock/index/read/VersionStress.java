package io.penstock.index.read;

import io.penstock.index.IndexConfig;
import io.penstock.index.layout.Geometry;
import io.penstock.index.pages.Memory;
import io.penstock.index.pages.VersionWord;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * The protocol of version words between {@link VersionWord}, through which the writer stores, and {@link Versions} over a
 * {@link PageView}, through which readers load: the very classes that the index uses.
 *
 * <p>−1 stands for what the reader does not believe.
 */
public final class VersionStress {
    private static final long DOUBT = -1;

    private VersionStress() {}

    /** Some words of one large page, a fresh cache line or two for each state. */
    public static class Words {
        private static final int BYTES = 256;
        private static final PageView VIEW;
        private static final long BASE;
        private static final long PLACES;
        private static final AtomicLong NEXT = new AtomicLong();

        static {
            Geometry geometry = new Geometry(new IndexConfig(Path.of("none"), 16, 1, 1 << 26, 1));
            MemorySegment memory = Arena.global().allocate((long) geometry.pageCount * geometry.pageBytes, 4096);
            VIEW = new PageView(memory, geometry, 0, geometry.pageBytes);
            BASE = memory.address();
            PLACES = VIEW.bytes() / BYTES;
        }

        final long at = NEXT.getAndIncrement() % PLACES * BYTES;

        Words() {
            for (int word = 0; word < BYTES; word += Long.BYTES) {
                put(word, 0);
            }
        }

        final void put(int word, long value) {
            Memory.putLong(BASE + at + word, value);
        }

        final long load(int word) {
            return VIEW.longAt(at + word);
        }

        final long loadAcquire(int word) {
            return VIEW.longAcquire(at + word);
        }

        final void enter(int version) {
            VersionWord.enter(BASE + at + version);
        }

        final void leave(int version) {
            VersionWord.leave(BASE + at + version);
        }

        final long read(int version) {
            return Versions.read(VIEW, at + version);
        }

        final boolean stood(int version, long value) {
            return Versions.stood(VIEW, at + version, value);
        }
    }

    /** Two words under one version, changed twice. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 1", "2, 2"},
            expect = Expect.ACCEPTABLE,
            desc = "stood together")
    @Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "in doubt")
    @Outcome(expect = Expect.FORBIDDEN, desc = "torn, and believed")
    @State
    public static class OneVersion extends Words {
        @Actor
        public void writer() {
            for (int value = 1; value <= 2; value++) {
                enter(0);
                put(8, value);
                put(128, value);
                leave(0);
            }
        }

        @Actor
        public void reader(JJ_Result result) {
            long version = read(0);
            long one = load(8);
            long other = load(128);
            boolean believed = !Versions.changing(version) && stood(0, version);
            result.r1 = believed ? one : DOUBT;
            result.r2 = believed ? other : DOUBT;
        }
    }

    /** The same without the second look at the version: shows that this machine tears, so that the others mean something. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 1", "2, 2", "-1, -1"},
            expect = Expect.ACCEPTABLE,
            desc = "not torn by luck")
    @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "torn: what the second look is for")
    @State
    public static class WithoutSecondLook extends Words {
        @Actor
        public void writer() {
            for (int value = 1; value <= 2; value++) {
                enter(0);
                put(8, value);
                put(128, value);
                leave(0);
            }
        }

        @Actor
        public void reader(JJ_Result result) {
            boolean believed = !Versions.changing(read(0));
            result.r1 = believed ? load(8) : DOUBT;
            result.r2 = believed ? load(128) : DOUBT;
        }
    }

    /** A path of two runs, each under its own version, changed in one step; both looked at again after the walk. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "stood together")
    @Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "in doubt")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one run before the step, the other after it")
    @State
    public static class TwoRuns extends Words {
        @Actor
        public void writer() {
            enter(0);
            put(8, 1);
            enter(128);
            put(136, 1);
            leave(128);
            leave(0);
        }

        @Actor
        public void reader(JJ_Result result) {
            long first = read(0);
            long one = load(8);
            long second = read(128);
            long other = load(136);
            boolean believed = !Versions.changing(first | second) && stood(0, first) && stood(128, second);
            result.r1 = believed ? one : DOUBT;
            result.r2 = believed ? other : DOUBT;
        }
    }

    /** A run's side block is given back and used again for something else, under no version at all. */
    @JCStressTest
    @Outcome(id = "5, 0", expect = Expect.ACCEPTABLE, desc = "the block while it was the run's")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the run without the block")
    @Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "in doubt")
    @Outcome(expect = Expect.FORBIDDEN, desc = "words of the next owner, believed")
    @State
    public static class Reuse extends Words {
        public Reuse() {
            put(8, 128);
            put(128, 5);
        }

        @Actor
        public void writer() {
            enter(0);
            put(8, 0);
            leave(0);
            put(128, 9);
        }

        @Actor
        public void reader(JJ_Result result) {
            long version = read(0);
            long side = load(8);
            long word = side == 0 ? 0 : load((int) side);
            boolean believed = !Versions.changing(version) && stood(0, version);
            result.r1 = believed ? word : DOUBT;
            result.r2 = believed ? 0 : DOUBT;
        }
    }

    /** A fresh run's entry in the heads table is under no version; the run that it names is. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "not there yet")
    @Outcome(id = "1, 7", expect = Expect.ACCEPTABLE, desc = "there, and whole")
    @Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "in doubt")
    @Outcome(expect = Expect.FORBIDDEN, desc = "found, and believed before it was whole")
    @State
    public static class FreshHead extends Words {
        @Actor
        public void writer() {
            enter(128);
            put(0, 1);
            put(136, 7);
            leave(128);
        }

        @Actor
        public void reader(JJ_Result result) {
            long entry = loadAcquire(0);
            if (entry == 0) {
                result.r1 = 0;
                result.r2 = 0;
                return;
            }
            long version = read(128);
            long head = load(136);
            boolean believed = !Versions.changing(version) && stood(128, version);
            result.r1 = believed ? 1 : DOUBT;
            result.r2 = believed ? head : DOUBT;
        }
    }
}
