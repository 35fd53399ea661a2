package io.penstock.dataplane.hints;

import io.penstock.ffi.nixl.NixlAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** An engine's process: takes hints at a NIXL agent of its own until its input ends. */
final class HintEngine implements AutoCloseable {
    private final Process process;
    private final Path out;

    private HintEngine(Process process, Path out) {
        this.process = process;
        this.out = out;
    }

    /** Arguments: name of the agent, port, most blocks that it fetches. */
    public static void main(String[] arguments) throws IOException {
        int most = Integer.parseInt(arguments[2]);
        Thread parent = Thread.ofPlatform().daemon().start(HintEngine::haltWithTheParent);
        NixlAgent agent = HintAgents.open(arguments[0], Integer.parseInt(arguments[1]));
        HintReceiver receiver = new HintReceiver(agent, fetch -> {
            int blocks = Math.min(most, fetch.blockHashes().length);
            System.out.println("fetch from " + fetch.sourceControlEndpoint() + ": " + fetch.blockHashes().length
                    + " blocks, last " + Long.toUnsignedString(fetch.blockHashes()[fetch.blockHashes().length - 1]));
            return blocks;
        });
        System.out.println("listens");
        while (parent.isAlive()) {
            if (receiver.poll() <= 0) {
                LockSupport.parkNanos(200_000);
            }
        }
    }

    private static void haltWithTheParent() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is said, but the end.
            }
        } catch (IOException gone) {
            // The same.
        }
        Runtime.getRuntime().halt(0);
    }

    /** Starts one and waits until it listens. */
    static HintEngine start(Path folder, String agent, int port, int mostBlocks) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))));
        for (Map.Entry<Object, Object> property : System.getProperties().entrySet()) {
            if (property.getKey().toString().startsWith("penstock.libraries.")) {
                command.add("-D" + property.getKey() + "=" + property.getValue());
            }
        }
        command.addAll(List.of(HintEngine.class.getName(), agent, "" + port, "" + mostBlocks));
        Path out = Files.createTempFile(folder, agent, ".out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        HintEngine engine = new HintEngine(process, out);
        HintBench.until("the engine listens", () -> engine.said("listens") || !process.isAlive());
        if (!process.isAlive()) {
            throw new AssertionError("the engine ended: " + engine.text());
        }
        return engine;
    }

    boolean said(String line) {
        return text().lines().anyMatch(line::equals);
    }

    String text() {
        try {
            return Files.readString(out);
        } catch (IOException notYet) {
            return "";
        }
    }

    /** Ends it as a crash would. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
