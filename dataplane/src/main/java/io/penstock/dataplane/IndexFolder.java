package io.penstock.dataplane;

import io.penstock.dataplane.pipeline.PrefixIndexFactory;
import io.penstock.index.PrefixIndex;
import io.penstock.index.reference.ReferenceIndex;
import java.nio.file.Path;
import java.util.function.IntFunction;

/**
 * The folder of the prefix indexes: one file per base model and block size, found again by the model's name.
 *
 * <p><b>Threading:</b> opened on the core's thread; {@link #nameModels} before the first worker comes.
 */
final class IndexFolder implements PrefixIndexFactory {
    private final RouterConfig config;
    private volatile IntFunction<String> modelNames = number -> "model-" + number;

    IndexFolder(RouterConfig config) {
        this.config = config;
    }

    /** Where the names of models' numbers come from. */
    void nameModels(IntFunction<String> names) {
        modelNames = names;
    }

    @Override
    public PrefixIndex open(int model, int blockSize) {
        return new ReferenceIndex(blockSize, config.index().capacityBlocks(), config.core().maxSlots());
    }

    /** The model's file: its name with everything but letters, digits, dots and dashes written as {@code %XX}. */
    Path file(int model, int blockSize) {
        StringBuilder name = new StringBuilder();
        for (byte b : modelNames.apply(model).getBytes(java.nio.charset.StandardCharsets.UTF_8)) {
            boolean plain = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '.' || b == '-';
            name.append(plain ? "" + (char) b : String.format("%%%02X", b & 0xFF));
        }
        Path folder = config.index().folder().isEmpty()
                ? Path.of(config.dataDir(), "index")
                : Path.of(config.index().folder());
        return folder.resolve(name + "-" + blockSize + ".pst");
    }
}
