package io.penstock.dataplane.journal;

import io.penstock.dataplane.metrics.Counter;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.SplittableRandom;
import net.openhft.chronicle.core.time.SystemTimeProvider;

/** Appends records until it is killed; the number of those appended stands in a mapped file. */
public final class JournalChild {
    private JournalChild() {}

    /** Record {@code number} of every life: mostly small, some in several documents. */
    static TraceRecord record(long number) {
        SplittableRandom random = new SplittableRandom(number);
        TraceRecord record = Traces.turn("session-" + number % 7, number % 7, 1 + (int) (number / 7 % 500));
        record.waitNs = number;
        if (random.nextInt(20) == 0) {
            record.requestPayload = new byte[random.nextInt(300_000)];
        }
        return record;
    }

    /**
     * Arguments: folder of the journal, file of the count, number of the first record.
     *
     * @param args see above
     * @throws Exception ends the child
     */
    public static void main(String[] args) throws Exception {
        JournalConfig config = new JournalConfig("", JournalRoll.HOURLY, 0, 0, 0, "", 16);
        JournalWriter writer = new JournalWriter(
                config,
                Path.of(args[0]),
                (counter, amount) -> fail(counter),
                JournalChild::fail,
                SystemTimeProvider.INSTANCE);
        writer.onStart();
        try (RandomAccessFile file = new RandomAccessFile(args[1], "rw")) {
            ByteBuffer count = file.getChannel()
                    .map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN);
            for (long number = Long.parseLong(args[2]); ; number++) {
                writer.append(record(number));
                count.putLong(0, number + 1);
            }
        }
    }

    private static void fail(Object why) {
        System.err.println("not written: " + (why instanceof Counter counter ? counter.label() : why));
        Runtime.getRuntime().halt(3);
    }
}
