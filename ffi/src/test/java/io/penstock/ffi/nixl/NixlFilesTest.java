package io.penstock.ffi.nixl;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NixlFilesTest extends NixlCase {
    @TempDir
    Path folder;

    @Test
    void shouldSayWhichFilesAreThereAndHowLongTheyAre() throws IOException {
        Path page = Files.write(folder.resolve("page-ü"), new byte[1234]);
        try (NixlAgent agent = NixlAgent.open(capi, NixlAgentSettings.named("store"));
                NixlFiles files = new NixlFiles(agent)) {
            ok(files.add(page.toString()));
            ok(files.add(folder.resolve("missing").toString()));
            ok(files.query());
            assertEquals(2, files.size());
            assertTrue(files.exists(0));
            assertFalse(files.exists(1));
            assertEquals(1234, files.fileBytes(0));
            assertEquals(-1, files.fileBytes(1));

            Files.delete(page);
            ok(files.query());
            assertFalse(files.exists(0));
            assertEquals(2, out(size -> capi.queries().queryRespListSize(files.answers(), size)));
            files.clear();
            assertEquals(0, files.size());
            assertFalse(files.exists(0));
        }
    }

    @Test
    void shouldRefuseQuestionsWhenItIsClosed() {
        try (NixlAgent agent = NixlAgent.open(capi, NixlAgentSettings.named("store"))) {
            NixlFiles files = new NixlFiles(agent);
            files.close();
            files.close();
            assertEquals(NixlConstants.NIXL_CAPI_ERROR_INVALID_PARAM, files.add("/tmp"));
            assertThrows(IllegalStateException.class, files::query);
            assertFalse(files.exists(0));
        }
    }

    @Test
    void shouldAllocateNothingWhenPathsAreGivenAsMemory() throws IOException {
        byte[] path =
                Files.write(folder.resolve("page"), new byte[1]).toString().getBytes(StandardCharsets.UTF_8);
        MemorySegment name = arena.allocateFrom(JAVA_BYTE, path);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        try (NixlAgent agent = NixlAgent.open(capi, NixlAgentSettings.named("store"));
                NixlFiles files = new NixlFiles(agent)) {
            long found = 0;
            for (int i = 0; i < 3000; i++) {
                found += ask(files, name);
            }
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 20 && least > 0; round++) {
                long before = threads.getThreadAllocatedBytes(thread);
                for (int i = 0; i < 200; i++) {
                    found += ask(files, name);
                }
                least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
            }
            assertEquals(0, least, "bytes over 200 questions, found " + found);
            assertEquals(0, found % 1600);
        }
    }

    private static int ask(NixlFiles files, MemorySegment name) {
        files.clear();
        for (int i = 0; i < 8; i++) {
            files.add(name, name.byteSize());
        }
        files.query();
        int found = 0;
        for (int i = 0; i < 8; i++) {
            found += files.exists(i) ? 1 : 0;
        }
        return found;
    }
}
