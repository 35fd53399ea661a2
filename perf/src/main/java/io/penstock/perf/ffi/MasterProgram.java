package io.penstock.perf.ffi;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A real Mooncake master on loopback for the time of a benchmark.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
final class MasterProgram implements AutoCloseable {
    private static final int PATIENCE_S = 30;

    private final Process process;
    private final String address;

    private MasterProgram(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    /** Starts one on free ports and waits until it answers. */
    static MasterProgram start(Packages packages, Path log) throws IOException, InterruptedException {
        int port = freePort();
        int adminPort = freePort();
        ProcessBuilder builder = new ProcessBuilder(
                        packages.get("MOONCAKE_MASTER", ""),
                        "--rpc_address=127.0.0.1",
                        "--rpc_port=" + port,
                        "--metrics_host=127.0.0.1",
                        "--metrics_port=" + adminPort,
                        "--enable_http_metadata_server=false",
                        "--logtostderr=1")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("LD_LIBRARY_PATH", packages.get("MASTER_LD_LIBRARY_PATH", ""));
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "master-ends"));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (!answers(port)) {
            if (!process.isAlive() || System.nanoTime() > end) {
                process.destroyForcibly();
                throw new IOException("the Mooncake master does not start, its words: log=" + log);
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return new MasterProgram(process, "127.0.0.1:" + port);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** {@code host:port} for its clients. */
    String address() {
        return address;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
