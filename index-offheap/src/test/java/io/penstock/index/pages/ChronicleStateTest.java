package io.penstock.index.pages;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.hash.VanillaGlobalMutableState;
import net.openhft.chronicle.values.Values;
import org.junit.jupiter.api.Test;

/** The class that saves Chronicle Map from compiling one must be the one that it would compile. */
class ChronicleStateTest {
    private static final String NAME = VanillaGlobalMutableState.class.getName() + "$$Native";
    private static final String CLASS_FILE = NAME.replace('.', '/') + ".class";

    /** Writes every field through whatever class Chronicle takes here; public, since two class loaders make it. */
    public static final class Written implements Supplier<byte[]> {
        /** For reflection. */
        public Written() {}

        @Override
        public byte[] get() {
            VanillaGlobalMutableState state = Values.newNativeReference(VanillaGlobalMutableState.class);
            byte[] bytes = new byte[(int) state.maxSize()];
            BytesStore<?, byte[]> store = BytesStore.wrap(bytes);
            state.bytesStore(store, 0, bytes.length);
            state.setAllocatedExtraTierBulks(0x81_8283);
            state.setFirstFreeTierIndex(0x91_9293_9495L);
            state.setExtraTiersInUse(0xA1_A2A3_A4A5L);
            state.setSegmentHeadersOffset(0xB1B2_B3B4L);
            state.setDataStoreSize(0x41C2_C3C4_C5C6_C7C0L);
            state.addDataStoreSize(8);
            state.setExtraTiersInUse(state.getExtraTiersInUse() - 1);
            return bytes;
        }
    }

    @Test
    void shouldBeTheClassThatChronicleTakes() {
        Class<?> taken = Values.nativeClassFor(VanillaGlobalMutableState.class);
        assertEquals(
                PageFile.class.getProtectionDomain().getCodeSource(),
                taken.getProtectionDomain().getCodeSource());
    }

    @Test
    void shouldWriteTheSameBytesAsTheGeneratedClass() throws Exception {
        List<URL> without = new ArrayList<>();
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String entry : classPath.split(File.pathSeparator)) {
            if (!Files.exists(Path.of(entry, CLASS_FILE)) && Files.exists(Path.of(entry))) {
                without.add(Path.of(entry).toUri().toURL());
            }
        }
        try (URLClassLoader apart =
                new URLClassLoader(without.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            assertFalse(apart.getResources(CLASS_FILE).hasMoreElements());
            Supplier<?> generated = (Supplier<?>) apart.loadClass(Written.class.getName())
                    .getDeclaredConstructor()
                    .newInstance();
            assertArrayEquals((byte[]) generated.get(), new Written().get());
        }
    }
}
