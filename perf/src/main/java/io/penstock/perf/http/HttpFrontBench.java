package io.penstock.perf.http;

import io.penstock.dataplane.Router;
import io.penstock.dataplane.RouterConfig;
import io.penstock.dataplane.http.HttpConfig;
import io.penstock.dataplane.workers.WorkerSpec;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * What a request costs the router, and what large prompts do to streams that run beside them.
 *
 * <p>One process: router, stub engine, clients; only the CPU of the router's own threads is counted. Two figures: CPU per
 * request for chats of 8 and 100 KiB (text chunks) and for a completion of 10,000 token ids (whole answers, four
 * connections, closed loop); delay of SSE
 * events from the engine's write to the client's read, sixteen streams with an event every 5 ms, alone and beside 100 KiB
 * prompts at a fixed rate.
 *
 * <p>Run by {@code penstock bench http}.
 */
public final class HttpFrontBench {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final String CHAT = "/v1/chat/completions";
    private static final int CONNECTIONS = 4;
    private static final int STREAMS = 16;

    private final int port;
    private final long stepNs;
    private final int rate;

    private HttpFrontBench(int port, long stepNs, int rate) {
        this.port = port;
        this.stepNs = stepNs;
        this.rate = rate;
    }

    /**
     * Runs all and prints a table.
     *
     * @param seconds length of each step
     * @param rate 100 KiB prompts a second beside the streams
     */
    public static void run(int seconds, int rate) throws Exception {
        Path data = Files.createTempDirectory("penstock-bench");
        try (StubEngine engine = new StubEngine()) {
            WorkerSpec worker = new WorkerSpec(
                    "stub", "http://127.0.0.1:" + engine.port(), "m", "none", 16, 1, null, null, null, null, null);
            RouterConfig config = RouterConfig.defaults()
                    .with(HttpConfig.defaults().onLoopback(0, -1), List.of(worker), data.toString());
            try (Router router = Router.start(config, () -> {})) {
                HttpFrontBench bench = new HttpFrontBench(router.port(), seconds * 1_000_000_000L, rate);
                bench.awaitReady();
                bench.cost(" 8 KiB chat", HttpFrontBench::chat, 8 << 10);
                bench.cost("100 KiB chat", HttpFrontBench::chat, 100 << 10);
                bench.cost("10,000 token ids", HttpFrontBench::ids, 10_000);
                bench.streams(false);
                bench.streams(true);
            }
        }
    }

    private void awaitReady() throws IOException {
        byte[] body = chat(1_000, 0);
        while (true) {
            try (Client client = new Client()) {
                if (client.exchange(body) == 200) {
                    return;
                }
            }
            LockSupport.parkNanos(10_000_000);
        }
    }

    /** A request whose size is {@code amount} (bytes of text, token ids) and whose content is the seed's. */
    private interface Requests {
        byte[] of(int amount, long seed);
    }

    private static byte[] ids(int count, long seed) {
        Random random = new Random(seed);
        StringBuilder list = new StringBuilder("{\"model\":\"m\",\"prompt\":[").append(random.nextInt(128_000));
        for (int i = 1; i < count; i++) {
            list.append(',').append(random.nextInt(128_000));
        }
        return post("/v1/completions", list.append("],\"max_tokens\":16}").toString());
    }

    private static byte[] chat(int bytes, long seed) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder("{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"");
        while (text.length() < bytes - 40) {
            text.append(Integer.toString(random.nextInt(1 << 20), 36)).append(' ');
        }
        return post(CHAT, text.append("\"}]}").toString());
    }

    private static byte[] post(String path, String body) {
        String head = "POST " + path + " HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n";
        return (head + body).getBytes(StandardCharsets.US_ASCII);
    }

    private void cost(String what, Requests requests, int amount) throws InterruptedException {
        load(requests, amount, stepNs / 2); // compiles
        Map<String, Long> before = routerCpuNs();
        long begin = System.nanoTime();
        long served = load(requests, amount, stepNs);
        double wall = (System.nanoTime() - begin) / 1e9;
        double cpuUs = 0;
        StringBuilder parts = new StringBuilder();
        for (Map.Entry<String, Long> kind : routerCpuNs().entrySet()) {
            double us = (kind.getValue() - before.getOrDefault(kind.getKey(), 0L)) / 1e3 / served;
            cpuUs += us;
            parts.append(us < 1 ? "" : String.format(" %s %.0f", kind.getKey(), us));
        }
        System.out.printf(
                "%-17s router CPU %7.1f us a request, %8.0f requests/s (us by thread:%s)%n",
                what + ":", cpuUs, served / wall, parts);
    }

    /** Closed loop over some connections; answers how many requests were served. */
    private long load(Requests requests, int amount, long durationNs) throws InterruptedException {
        AtomicLong served = new AtomicLong();
        long end = System.nanoTime() + durationNs;
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            byte[] request = requests.of(amount, i);
            clients.add(Thread.ofPlatform().name("bench-client").start(() -> {
                try (Client client = new Client()) {
                    while (System.nanoTime() < end && client.exchange(request) == 200) {
                        served.incrementAndGet();
                    }
                } catch (IOException failed) {
                    throw new IllegalStateException(failed);
                }
            }));
        }
        for (Thread client : clients) {
            client.join();
        }
        return served.get();
    }

    private void streams(boolean beside) throws InterruptedException, IOException {
        ConcurrentHistogram delays = new ConcurrentHistogram(3);
        List<Client> open = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            Client client = new Client();
            open.add(client);
            threads.add(Thread.ofPlatform().name("bench-client").start(() -> client.listen(delays)));
        }
        long end = System.nanoTime() + stepNs;
        AtomicLong prompts = new AtomicLong();
        if (beside) {
            for (int i = 0; i < CONNECTIONS; i++) {
                int mine = i;
                threads.add(Thread.ofPlatform().name("bench-client").start(() -> prompts(mine, end, prompts)));
            }
        }
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
        for (Client client : open) {
            client.close();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.printf(
                "SSE %-28s p50 %6.0f us, p99 %7.0f us, p99.9 %7.0f us, max %7.0f us, %d events%n",
                beside ? "beside " + prompts.get() * 1_000_000_000L / stepNs + " x 100 KiB/s:" : "alone:",
                delays.getValueAtPercentile(50) / 1e3,
                delays.getValueAtPercentile(99) / 1e3,
                delays.getValueAtPercentile(99.9) / 1e3,
                delays.getMaxValue() / 1e3,
                delays.getTotalCount());
    }

    private void prompts(int mine, long end, AtomicLong served) {
        byte[] request = chat(100 << 10, 1_000 + mine);
        long interval = 1_000_000_000L * CONNECTIONS / rate;
        try (Client client = new Client()) {
            for (long next = System.nanoTime(); next < end; next += interval) {
                for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                if (client.exchange(request) == 200) {
                    served.incrementAndGet();
                }
            }
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** CPU time of the router's threads, by kind. */
    private static Map<String, Long> routerCpuNs() {
        Map<String, Long> byKind = new TreeMap<>();
        for (long id : THREADS.getAllThreadIds()) {
            ThreadInfo info = THREADS.getThreadInfo(id);
            if (info != null && info.getThreadName().startsWith("penstock-")) {
                String kind = info.getThreadName().replaceAll("^penstock-|[-0-9]+$", "");
                byKind.merge(kind, Math.max(0, THREADS.getThreadCpuTime(id)), Long::sum);
            }
        }
        return byKind;
    }

    /** A connection to the router. */
    private final class Client implements AutoCloseable {
        private final Socket socket;
        private final InputStream in;

        Client() throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
        }

        int exchange(byte[] request) throws IOException {
            socket.getOutputStream().write(request);
            Heads.Head head = Heads.read(in);
            if (head == null) {
                throw new IOException("the router closed the connection");
            }
            in.readNBytes(head.contentLength());
            return head.status();
        }

        /** Reads events until the connection is closed; each carries the time at which it was written. */
        void listen(ConcurrentHistogram delays) {
            try {
                socket.getOutputStream().write(post(CHAT, "{\"model\":\"m\",\"stream\":true,\"messages\":[]}"));
                Heads.read(in);
                String mark = "\"content\":\"";
                StringBuilder line = new StringBuilder();
                for (int b = in.read(); b >= 0; b = in.read()) {
                    if (b != '\n') {
                        line.append((char) b);
                        continue;
                    }
                    int at = line.indexOf(mark);
                    if (at >= 0) {
                        int from = at + mark.length();
                        long sent = Long.parseLong(line.substring(from, line.indexOf("\"", from)));
                        delays.recordValue(Math.max(0, System.nanoTime() - sent));
                    }
                    line.setLength(0);
                }
            } catch (IOException closed) {
                // The step is over.
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
