package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.SlotLayout;
import io.penstock.index.read.MappedIndex;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MappedIndexTest {
    @TempDir
    Path folder;

    private IndexConfig config;

    @BeforeEach
    void configure() {
        config = new IndexConfig(folder.resolve("index"), 16, 1 << 12, 1 << 16, 40);
    }

    @Test
    void shouldShowWhatTheWriterJustWroteWhileItRuns() {
        try (OffHeapIndex index = OffHeapIndex.open(config);
                MappedIndex mapped = MappedIndex.open(config.file())) {
            long limit = mapped.longAt(HeaderLayout.SLOT_LIMIT);
            int slot = index.openSlot("http://one:1", 3);
            assertEquals(limit + 1, mapped.longAt(HeaderLayout.SLOT_LIMIT));
            long record = mapped.geometry().slots + (long) slot * SlotLayout.BYTES;
            assertEquals(3, mapped.longAt(record + SlotLayout.DP_RANK));
            byte[] name = mapped.bytesAt(record + SlotLayout.NAME, (int) mapped.longAt(record + SlotLayout.NAME_BYTES));
            assertEquals("http://one:1", new String(name, StandardCharsets.UTF_8));
            assertEquals(16, mapped.intAt(HeaderLayout.BLOCK_SIZE));
            assertTrue(mapped.foundBySidecar());
        }
    }

    @ParameterizedTest
    @CsvSource({"16, 1, 1", "16, 4096, 40", "16, 300000, 40", "18, 20000, 1000", "20, 200000, 64", "22, 20000, 8"})
    void shouldFindThePagesOfACopyWithoutItsHeaderCopy(int pageShift, int capacity, int slots) throws IOException {
        config = new IndexConfig(config.file(), 16, capacity, 1 << pageShift, slots);
        OffHeapIndex.open(config).abandon();
        Path copy = Files.copy(config.file(), folder.resolve("elsewhere"));
        try (MappedIndex told = MappedIndex.open(config.file());
                MappedIndex found = MappedIndex.open(copy)) {
            assertTrue(told.foundBySidecar());
            assertFalse(found.foundBySidecar());
            assertEquals(told.firstPage(), found.firstPage());
            assertEquals(told.stride(), found.stride());
            Geometry made = new Geometry(config);
            assertArrayEquals(made.regionOffsets(), found.geometry().regionOffsets());
            assertArrayEquals(made.counts(), found.geometry().counts());
            assertEquals(told.longAt(told.bytes() - Long.BYTES), found.longAt(found.bytes() - Long.BYTES));
        }
    }

    @Test
    void shouldNotBelieveAHeaderCopyThatDoesNotFit() throws IOException {
        OffHeapIndex.open(config).close();
        try (FileChannel file = FileChannel.open(config.file(), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(64), file.size());
        }
        try (MappedIndex mapped = MappedIndex.open(config.file())) {
            assertFalse(mapped.foundBySidecar());
            assertEquals(0, mapped.longAt(HeaderLayout.SLOT_LIMIT));
        }
    }

    @Test
    void shouldTouchNothing() throws IOException {
        OffHeapIndex.open(config).close();
        Files.delete(Path.of(config.file() + ".lock"));
        FileTime before = Files.getLastModifiedTime(config.file());
        byte[] bytes = Files.readAllBytes(config.file());
        try (MappedIndex mapped = MappedIndex.open(config.file())) {
            assertEquals(HeaderLayout.CLEAN, mapped.longAt(HeaderLayout.STATE));
        }
        assertEquals(before, Files.getLastModifiedTime(config.file()));
        assertArrayEquals(bytes, Files.readAllBytes(config.file()));
        assertFalse(Files.exists(Path.of(config.file() + ".lock")));
    }

    @Test
    void shouldRefuseWhatIsNoIndex() throws IOException {
        Files.write(config.file(), new byte[100_000]);
        assertRefused("not an index file, page 0 is not found by its magic: bytes=100000");
        Files.write(config.file(), new byte[0]);
        assertRefused("not an index file");
        Files.delete(config.file());
        assertRefused("cannot be read");
    }

    @Test
    void shouldRefuseAnotherLayoutVersionWithBothNumbers() throws IOException {
        OffHeapIndex.open(config).close();
        change(HeaderLayout.LAYOUT_VERSION, HeaderLayout.VERSION_VALUE + 1, false);
        assertRefused("another layout version: layoutVersion=" + (HeaderLayout.VERSION_VALUE + 1) + ", expected "
                + HeaderLayout.VERSION_VALUE);
    }

    @Test
    void shouldRefuseADamagedHeader() throws IOException {
        OffHeapIndex.open(config).close();
        change(HeaderLayout.RUN_COUNT, 5, false);
        assertRefused("header is damaged: crc32c=");
    }

    @ParameterizedTest
    @CsvSource({
        HeaderLayout.GRANULE_COUNT + ", 2000000000",
        HeaderLayout.RUN_COUNT + ", -1",
        HeaderLayout.REGION_OFFSETS + ", 0",
        (HeaderLayout.REGION_OFFSETS + 68) + ", 2",
        HeaderLayout.PAGE_COUNT + ", 3",
    })
    void shouldRefuseAGeometryThatLeadsOutOfTheFile(int field, int value) throws IOException {
        OffHeapIndex.open(config).close();
        change(field, value, true);
        assertRefused("header names an impossible ");
    }

    @Test
    void shouldRefuseACutFile() throws IOException {
        OffHeapIndex.open(config).close();
        cut(Files.size(config.file()) / 2);
        assertRefused("index file is cut");
    }

    @Test
    void shouldSayThatTheFileWasCutBeneath() throws IOException {
        OffHeapIndex.open(config).close();
        try (MappedIndex mapped = MappedIndex.open(config.file())) {
            cut(mapped.firstPage() + mapped.stride());
            Throwable wrong = assertThrows(Throwable.class, () -> {
                for (long offset = 0; offset < mapped.bytes(); offset += Long.BYTES) {
                    mapped.longAt(offset);
                }
            });
            assertCut(wrong);
            assertCut(assertThrows(Throwable.class, () -> mapped.bytesAt(mapped.geometry().columns, 4096)));
        }
    }

    /** The JVM may report the fault only after the call, and then as it is. */
    private static void assertCut(Throwable wrong) {
        boolean said = wrong instanceof IndexFileException && wrong.getMessage().contains("was cut while it was read");
        boolean late = wrong instanceof InternalError && wrong.getMessage().contains("unsafe memory access");
        assertTrue(said || late, wrong.toString());
    }

    @ParameterizedTest
    @CsvSource({"-8", "-9223372036854775808", "9223372036854775800", "1152921504606846976"})
    void shouldThrowOnAWildOffset(long offset) {
        OffHeapIndex.open(config).close();
        try (MappedIndex mapped = MappedIndex.open(config.file())) {
            assertThrows(IndexOutOfBoundsException.class, () -> mapped.longAt(offset));
            assertThrows(IndexOutOfBoundsException.class, () -> mapped.intAt(offset));
            assertThrows(IndexOutOfBoundsException.class, () -> mapped.longAt(mapped.bytes()));
            assertThrows(IndexOutOfBoundsException.class, () -> mapped.bytesAt(config.pageBytes() - 8, 16));
        }
    }

    @Test
    void shouldThrowAndNotCrashWhenClosed() {
        OffHeapIndex.open(config).close();
        MappedIndex mapped = MappedIndex.open(config.file());
        mapped.close();
        assertThrows(IllegalStateException.class, () -> mapped.longAt(0));
    }

    /** Stores a number into the header; with {@code sealed} the sum is right again. */
    private void change(int field, int value, boolean sealed) throws IOException {
        long first;
        try (MappedIndex mapped = MappedIndex.open(config.file())) {
            first = mapped.firstPage();
        }
        try (FileChannel file = FileChannel.open(config.file(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer header = ByteBuffer.allocate(HeaderLayout.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            file.read(header, first);
            header.clear().putInt(field, value);
            if (sealed) {
                CRC32C sum = new CRC32C();
                sum.update(header.duplicate().limit(HeaderLayout.STATIC_SUM));
                header.putLong(HeaderLayout.STATIC_SUM, sum.getValue());
            }
            file.write(header.clear(), first);
        }
    }

    private void cut(long bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(config.file().toFile(), "rw")) {
            file.setLength(bytes);
        }
    }

    private void assertRefused(String what) {
        String message = assertThrows(IndexFileException.class, () -> MappedIndex.open(config.file()))
                .getMessage();
        assertTrue(message.contains(what), message);
        assertEquals(1, message.lines().count(), message);
    }
}
