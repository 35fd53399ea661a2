package io.penstock.ffi.mooncake;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A real {@code mooncake_master} on loopback, on ports that were free, with KV events and a lease of {@value #LEASE_MS} ms.
 * It can be killed and started again on the same ports, and ends with this JVM, however that ends.
 *
 * <p><b>Threading:</b> owned by the test's thread.
 */
public final class MasterProcess implements AutoCloseable {
    /** How long a stored, read or probed object cannot be removed. */
    public static final int LEASE_MS = 200;

    /** Backend id in the events. */
    public static final String BACKEND_ID = "store-1";

    private static final int START_ATTEMPTS = 3;
    private static final long READY_S = 30;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final List<String> extraFlags;
    private final Path log;
    private int rpcPort;
    private int adminPort;
    private int eventsPort;
    private Process process;
    private Process watchdog;

    private MasterProcess(Path log, List<String> extraFlags) {
        this.log = log;
        this.extraFlags = extraFlags;
    }

    /**
     * Starts a master and waits until it is ready; where none is installed the calling test is skipped, with the reason.
     *
     * @param folder gets the master's log
     * @param extraFlags beyond the usual ones, as {@code --name=value}
     */
    public static MasterProcess start(Path folder, String... extraFlags) {
        NativePackages.assumeMaster();
        MasterProcess master = new MasterProcess(folder.resolve("mooncake_master.log"), List.of(extraFlags));
        for (int attempt = 1; ; attempt++) {
            master.takePorts();
            try {
                master.restart();
                return master;
            } catch (IllegalStateException lostPort) { // another process may take a free port before the master does
                if (attempt == START_ATTEMPTS) {
                    throw lostPort;
                }
            }
        }
    }

    private void takePorts() {
        try (ServerSocket rpc = free();
                ServerSocket admin = free();
                ServerSocket events = free()) {
            rpcPort = rpc.getLocalPort();
            adminPort = admin.getLocalPort();
            eventsPort = events.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException("no free port on loopback", e);
        }
    }

    private static ServerSocket free() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    /** Starts the master again on its ports, empty, and waits until it is ready. */
    public void restart() {
        kill();
        List<String> command = new ArrayList<>(List.of(
                NativePackages.master().toString(),
                "--rpc_address=127.0.0.1",
                "--rpc_port=" + rpcPort,
                "--metrics_host=127.0.0.1",
                "--metrics_port=" + adminPort,
                "--enable_http_metadata_server=false",
                "--default_kv_lease_ttl=" + LEASE_MS,
                "--enable_kv_events=true",
                "--kv_events_bind_endpoint=" + eventsEndpoint(),
                "--kv_events_backend_id=" + BACKEND_ID,
                "--logtostderr=1"));
        command.addAll(extraFlags);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        NativePackages.masterLibraries().ifPresent(path -> builder.environment().put("LD_LIBRARY_PATH", path));
        try {
            process = builder.start();
            // Reads until this JVM is gone: its end of the pipe closes then, also after a SIGKILL.
            watchdog = new ProcessBuilder("sh", "-c", "read _ || kill -9 " + process.pid()).start();
        } catch (IOException e) {
            throw new IllegalStateException("the master cannot be started: " + command, e);
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_S);
        while (!ready()) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                String end = process.isAlive() ? "not ready within " + READY_S + " s" : "ended: " + process.exitValue();
                kill();
                throw new IllegalStateException("the master is " + end + "; log:\n" + log());
            }
            pause();
        }
    }

    private boolean ready() {
        try {
            // The admin port opens before the RPC port serves; its word counts.
            return get("/health").contains("\"service_ready\":true")
                    && get("/kv_events/status").contains("\"enabled\":true");
        } catch (IOException notYet) {
            return false;
        }
    }

    /** What the admin port answers to a path. */
    public String get(String path) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + path))
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** Ends the master with SIGKILL; what it knew is gone. */
    public void kill() {
        if (process == null) {
            return;
        }
        process.destroyForcibly();
        process.onExit().join();
        if (watchdog != null) {
            watchdog.destroyForcibly(); // before its pipe closes, since the master's pid may be another's by then
            watchdog.onExit().join();
        }
        process = null;
    }

    /** Stops the master's threads: its connections stay open and it answers nothing. */
    public void freeze() {
        signal("-STOP");
    }

    /** Ends {@link #freeze}. */
    public void thaw() {
        signal("-CONT");
    }

    private void signal(String signal) {
        try {
            new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                    .start()
                    .onExit()
                    .join();
        } catch (IOException e) {
            throw new IllegalStateException("the master cannot be signalled", e);
        }
    }

    /** Whether its process runs. */
    public boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** {@code host:port} that stores are set up with. */
    public String rpcAddress() {
        return "127.0.0.1:" + rpcPort;
    }

    /** URL of the admin port, without a path. */
    public String adminUrl() {
        return "http://127.0.0.1:" + adminPort;
    }

    /** Endpoint of the events. */
    public String eventsEndpoint() {
        return "tcp://127.0.0.1:" + eventsPort;
    }

    /** What it wrote so far, all lives. */
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return "unreadable: " + e;
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            Assumptions.abort("interrupted while the master was starting");
        }
    }

    @Override
    public void close() {
        kill();
    }
}
