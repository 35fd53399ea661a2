package io.penstock.index;

import io.penstock.index.read.LiveReader;
import io.penstock.index.read.MappedIndex;
import java.io.IOException;
import java.nio.file.Path;

/** A witness in a process of its own, over a mapping of the file. Exits 0 when every answer was true. */
final class WitnessChild {
    private WitnessChild() {}

    static TruthLog log(long seed, int operations, int workers, int queries) {
        return new TruthLog(seed, operations, workers, queries);
    }

    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        TruthLog log = log(
                seed, Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]));
        try (MappedIndex mapped = MappedIndex.open(file);
                Progress progress = new Progress(Path.of(file + ".progress"))) {
            Witness witness = new Witness(log, progress, LiveReader.of(mapped), seed);
            System.out.println("ready");
            witness.run();
            System.out.println(witness);
            System.exit(witness.wrong() != null ? 1 : witness.judged() == 0 ? 2 : 0);
        }
    }
}
