package io.penstock.dataplane.inputlog;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.CounterFile;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A process that records a pipeline until it is killed; prints each decision's number. */
final class InputLogChild {
    private InputLogChild() {}

    public static void main(String[] args) {
        Path folder = Path.of(args[0]);
        CounterFile counters = CounterFile.create(folder.resolve("counters.dat"));
        InputLogConfig config = new InputLogConfig(true, "", 8, 1, 1_440, 1_000, 24);
        InputLog log = InputLog.open(
                config,
                folder.resolve("log"),
                RecordedPipeline.CORE,
                RecordedPipeline.ROUTING,
                counters,
                Throwable::printStackTrace);
        RecordedPipeline run = new RecordedPipeline(folder, counters, log.tap());
        run.addWorkers();
        Random random = new Random(Long.parseLong(args[1]));
        // Before it nothing is claimed of a life that began over a filled index.
        log.checkpoint();
        RecordedPipeline.await(() -> {
            run.play(random, 20);
            return run.count(Counter.INPUT_LOG_CHECKPOINTS) > 0;
        });
        while (true) {
            run.play(random, 50);
            System.out.println("decided " + run.decided.getLast());
        }
    }

    static Process start(Path folder, long seed, Path out) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-cp");
        command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        command.add(InputLogChild.class.getName());
        command.addAll(List.of(folder.toString(), Long.toString(seed)));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
    }
}
