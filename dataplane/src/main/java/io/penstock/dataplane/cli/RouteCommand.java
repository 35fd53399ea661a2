package io.penstock.dataplane.cli;

import io.penstock.dataplane.Router;
import io.penstock.dataplane.RouterConfig;
import io.penstock.dataplane.StartTimes;
import io.penstock.dataplane.config.ConfigFile;
import io.penstock.dataplane.workers.WorkerSpec;
import io.penstock.index.OffHeapIndex;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code penstock route}: a router in this process, until it is ended.
 *
 * <p>Prints one line when it listens: its URLs, the policy and the number of workers.
 *
 * <p><b>Threading:</b> main thread; a shutdown hook stops the router in order.
 */
@Command(
        name = RouteCommand.NAME,
        description = {
            "Routes requests to engines: defaults, over them the YAML file, over that the flags.",
            "Every key of the file is a flag as well: --set routing.temperature=0.5"
        },
        mixinStandardHelpOptions = true)
final class RouteCommand implements Callable<Integer> {
    /** The command's name. */
    static final String NAME = "route";

    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "YAML configuration.")
    private Path config;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Sets one key, such as http.port=9000; repeatable.")
    private List<String> sets = new ArrayList<>();

    @Option(names = "--port", paramLabel = "N", description = "Port for clients: http.port.")
    private Integer port;

    @Option(names = "--admin-port", paramLabel = "N", description = "Port for operators: http.adminPort.")
    private Integer adminPort;

    @Option(
            names = "--policy",
            paramLabel = "P",
            description = "kv, round-robin, least-loaded or random: routing.policy.")
    private String policy;

    @Option(names = "--data-dir", paramLabel = "DIR", description = "Folder of index and counter files: dataDir.")
    private String dataDir;

    @Option(
            names = "--worker",
            paramLabel = "URL",
            arity = "1..*",
            description = "Engines beside those of the file: http://host:port each.")
    private List<String> workers = new ArrayList<>();

    @Option(names = "--print-config", description = "Prints every key with its value and exits.")
    private boolean printConfig;

    @Override
    public Integer call() throws InterruptedException {
        StartTimes times = new StartTimes();
        times.reached(StartTimes.Step.MAIN);
        RouterConfig effective = effective();
        times.reached(StartTimes.Step.CONFIG);
        if (printConfig) {
            spec.commandLine().getOut().print(ConfigFile.print(effective));
            spec.commandLine().getOut().flush();
            return CommandLine.ExitCode.OK;
        }
        serve(effective, times);
        return CommandLine.ExitCode.OK;
    }

    /** Begins what a start needs and the command line does not: the first open of an index, one core of two meanwhile. */
    static void prepare() {
        Thread.ofPlatform().daemon().name("penstock-prepare-index").start(OffHeapIndex::prepare);
    }

    private void serve(RouterConfig effective, StartTimes times) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        try (Router router = Router.start(effective, times)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(ended, stopped), "router-shutdown"));
            System.out.printf(
                    Locale.ROOT,
                    "router listens: url=http://%s:%d admin=http://%s:%d policy=%s workers=%d%n",
                    effective.http().host(),
                    router.port(),
                    effective.http().adminHost(),
                    router.adminPort(),
                    effective.routing().policy().label(),
                    effective.workers().size());
            ended.await();
        } finally {
            stopped.countDown();
        }
    }

    /** The JVM must not end before the main thread has closed the index. */
    private static void end(CountDownLatch ended, CountDownLatch stopped) {
        ended.countDown();
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Defaults, file, {@code --set}, then the named flags. */
    private RouterConfig effective() {
        List<String> overrides = new ArrayList<>(sets);
        override(overrides, "http.port", port);
        override(overrides, "http.adminPort", adminPort);
        override(overrides, "routing.policy", policy);
        RouterConfig read = ConfigFile.read(RouterConfig.defaults(), config, overrides);
        List<WorkerSpec> all = new ArrayList<>(read.workers());
        for (String url : workers) {
            all.add(WorkerSpec.of(null, url));
        }
        return read.with(read.http(), all, dataDir == null ? read.dataDir() : dataDir);
    }

    private static void override(List<String> overrides, String key, Object value) {
        if (value != null) {
            overrides.add(key + "=" + value);
        }
    }
}
