package io.penstock.dataplane;

import io.penstock.dataplane.core.CoreConfig;
import io.penstock.dataplane.http.HttpConfig;
import io.penstock.dataplane.ingest.IngestConfig;
import io.penstock.dataplane.workers.FleetConfig;
import io.penstock.dataplane.workers.WorkerSpec;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A router in a process of its own, to be killed. */
final class SoakRouter implements AutoCloseable {
    private final Process process;
    final int port;
    final int adminPort;

    private SoakRouter(Process process, String[] ports) {
        this.process = process;
        port = Integer.parseInt(ports[0]);
        adminPort = Integer.parseInt(ports[1]);
    }

    /** Arguments: data folder, file to write the ports to, URLs of the engines. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<WorkerSpec> workers = new ArrayList<>();
        for (int i = 2; i < arguments.length; i++) {
            workers.add(new WorkerSpec(
                    "engine-" + (i - 2), arguments[i], "tiny", "vllm", 0, 0, null, null, null, null, null));
        }
        CoreConfig core = CoreConfig.defaults();
        RouterConfig config = new RouterConfig(
                HttpConfig.defaults().onLoopback(0, 0),
                null,
                new CoreConfig(
                        64,
                        core.maxActiveRequests(),
                        core.pathHashes(),
                        core.maxBlocksPerRequest(),
                        // What was only sent there is no prediction that could be held against an engine.
                        0,
                        core.maxPredictedHolders(),
                        core.approximateTtlSeconds(),
                        core.maxApproximatePrompts(),
                        core.requestExpirySeconds(),
                        core.expiryCheckSeconds(),
                        core.trackOutputBlocks(),
                        1,
                        core.slotReuseSeconds()),
                null,
                null,
                new FleetConfig(2_000, 100, 500, 30_000, 200, 1_000, 2, 1, "/health"),
                new IngestConfig(2, "auto", 2_000, 3, 1_000, 300, 64 << 20, 64, 256, 1 << 18),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                workers,
                arguments[0]);
        Router router = Router.start(config);
        Path half = Path.of(arguments[1] + ".half");
        Files.writeString(half, router.port() + " " + router.adminPort());
        Files.move(half, Path.of(arguments[1]));
        Thread.currentThread().join();
    }

    static SoakRouter start(Path folder, int life, List<String> engines) throws IOException {
        Path ports = folder.resolve("ports-" + life);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-cp");
        command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        command.add(SoakRouter.class.getName());
        command.add(folder.resolve("data").toString());
        command.add(ports.toString());
        command.addAll(engines);
        Path log = folder.resolve("router-" + life + ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        long end = System.nanoTime() + 60_000_000_000L;
        while (!Files.exists(ports)) {
            if (!process.isAlive() || System.nanoTime() > end) {
                process.destroyForcibly();
                throw new AssertionError("no router: " + Files.readString(log));
            }
            LockSupport.parkNanos(5_000_000);
        }
        return new SoakRouter(process, Files.readString(ports).split(" "));
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGTERM, which closes the index in order. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
