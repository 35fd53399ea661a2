package io.penstock.index;

import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.pages.DyingWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/**
 * Writes the golden files of the present layout version, one closed in order and one left by a killed writer, each with
 * the copy of its header: {@code GoldenWriter FOLDER}, with {@code -Dpenstock.index.checked=true} and
 * {@code -Dpenstock.index.bootId} set to {@link #BOOT_ID}. Used once for each version.
 */
final class GoldenWriter {
    static final String BOOT_ID = "00000000-0000-4000-8000-00000000601d";

    /** Accesses after which the writer dies: within the step, some words of it logged. */
    private static final int ACCESSES = 100;

    private GoldenWriter() {}

    static IndexConfig config(Path file) {
        return new IndexConfig(file, 16, 1 << 10, 1 << 16, GoldenScript.SLOTS);
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Path clean = folder.resolve("golden-" + HeaderLayout.VERSION_VALUE + "-clean");
        try (OffHeapIndex index = OffHeapIndex.open(config(clean))) {
            GoldenScript.play(index);
        }
        Path killed = folder.resolve("golden-" + HeaderLayout.VERSION_VALUE + "-killed");
        OffHeapIndex index = OffHeapIndex.open(config(killed));
        GoldenScript.play(index);
        DyingWriter.dieAfter(ACCESSES);
        try {
            GoldenScript.more(index);
            throw new IllegalStateException("the writer did not die");
        } catch (IllegalStateException death) {
            DyingWriter.live();
        }
        index.abandon();
        for (Path file : new Path[] {clean, killed}) {
            pack(file);
            pack(Path.of(file + ".header"));
        }
    }

    private static void pack(Path file) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(Path.of(file + ".gz")))) {
            Files.copy(file, out);
        }
    }
}
