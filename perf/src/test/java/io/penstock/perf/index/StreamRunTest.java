package io.penstock.perf.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.index.ChainHash;
import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A stream made by hand: two workers store the same three blocks, one loses the last. */
class StreamRunTest {
    private static final long[] LOCALS = {11, 12, 13};
    private static final int HEADER_BYTES = 128;

    @TempDir
    Path folder;

    private OpsStream stream(long expectedSum) throws IOException {
        long[] sequence = new long[LOCALS.length];
        sequence[0] = LOCALS[0];
        for (int i = 1; i < sequence.length; i++) {
            sequence[i] = ChainHash.next(sequence[i - 1], LOCALS[i]);
        }
        ByteBuffer bytes = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put("KVOPS001".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        bytes.putInt(8, 1).putInt(12, 2).putInt(16, 16).putLong(24, 4);
        bytes.putLong(48, 6).putLong(64, 1).putLong(88, 5);
        bytes.position(HEADER_BYTES);
        operation(bytes, OpsStream.STORED, 0, 3, 0, LOCALS, sequence);
        operation(bytes, OpsStream.STORED, 1, 3, 0, LOCALS, sequence);
        operation(bytes, OpsStream.REMOVED, 1, 1, 0, new long[] {sequence[2]});
        operation(bytes, OpsStream.QUERY, 0, 3, 2L << 32 | expectedSum, LOCALS);
        Path file = folder.resolve("ops.bin");
        Files.write(file, java.util.Arrays.copyOf(bytes.array(), bytes.position()));
        return OpsStream.read(file);
    }

    private static void operation(ByteBuffer to, int type, int worker, int count, long aux, long[]... words) {
        to.put((byte) type).put((byte) 0).putShort((short) worker).putInt(count).putLong(aux);
        for (long[] some : words) {
            for (long word : some) {
                to.putLong(word);
            }
        }
    }

    private OffHeapIndex index() throws IOException {
        Path files = Files.createDirectories(folder.resolve("index"));
        return new BenchFolder(files).fresh(16, IndexConfig.defaults().capacityBlocks() / 64, 2);
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void shouldAnswerAsTheStreamSaysWhenGivenInAnyVariant(Variant variant) throws IOException {
        OpsStream ops = stream(5);
        Map<String, Object> line = new HashMap<>();
        try (OffHeapIndex index = index()) {
            new QueryRun(ops, variant).pass(index, line);
        }
        assertEquals(0L, line.get("wrong"));
        assertEquals(1L, line.get("checked"));
    }

    @Test
    void shouldCountAWrongAnswerWhenTheStreamExpectsAnother() throws IOException {
        Map<String, Object> line = new HashMap<>();
        try (OffHeapIndex index = index()) {
            new QueryRun(stream(6), Variant.GIVEN).pass(index, line);
        }
        assertEquals(1L, line.get("wrong"));
    }

    @Test
    void shouldFindNothingLeftWhenAnApplyPassHasSwept() throws IOException {
        Map<String, Object> line = new HashMap<>();
        try (OffHeapIndex index = index()) {
            new ApplyRun(stream(5), Variant.DOUBLED).pass(index, line);
            assertEquals(0, index.blockCount());
        }
    }

    @Test
    void shouldRefuseWhenTheFileIsAnother() throws IOException {
        Path file = Files.write(folder.resolve("other.bin"), new byte[HEADER_BYTES]);
        assertThrows(IllegalArgumentException.class, () -> OpsStream.read(file));
    }
}
