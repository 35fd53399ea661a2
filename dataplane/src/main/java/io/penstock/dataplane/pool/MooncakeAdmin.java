package io.penstock.dataplane.pool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A Mooncake master's admin port: HTTP, no native code, and nothing asked here lengthens an object's life.
 *
 * <p>A name with a comma cannot be asked for, since the port splits at commas after it has decoded the address: it stays
 * {@link #UNKNOWN}.
 *
 * <p>The master makes its whole list before it sends the first byte, holding it up the longer the more it knows; then the
 * list is read as it comes, no faster than it is taken.
 *
 * <p><b>Threading:</b> one caller at a time; {@link #state}, {@link #cause} and {@link #counts} from any thread.
 */
public final class MooncakeAdmin implements SharedPool, PoolMaster {
    /** Names in one question; of 2,000 names of 68 characters the address was still taken. */
    static final int NAMES_PER_QUESTION = 512;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NOT_FOUND = "OBJECT_NOT_FOUND";

    private final String url;
    private final int patienceMs;
    private final HttpClient client;
    private final ProbeCounts counts = new ProbeCounts();
    /** Written after {@link #cause}, read before it. */
    private volatile StoreState state = StoreState.CONNECTING;

    private volatile String cause;

    /**
     * Asks nothing yet.
     *
     * @param url {@code http://host:port}
     * @param patienceMs longest time for a probe, and from one piece of a list to the next
     */
    public MooncakeAdmin(String url, int patienceMs) {
        this.url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        this.patienceMs = patienceMs;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofMillis(patienceMs))
                .build();
    }

    @Override
    public String describe() {
        return "Mooncake master's admin port " + url;
    }

    @Override
    public int patienceMs() {
        return patienceMs;
    }

    @Override
    public boolean probeRenewsLeases() {
        return false;
    }

    /** Whether it answered last time. */
    public StoreState state() {
        return state;
    }

    /** Why it did not, in one line; null if it did. */
    public String cause() {
        return cause;
    }

    /** What probes learnt. */
    public ProbeCounts counts() {
        return counts;
    }

    @Override
    public int probe(List<String> names, byte[] out) {
        Arrays.fill(out, 0, names.size(), UNKNOWN);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
        try {
            for (int from = 0; from < names.size(); from += NAMES_PER_QUESTION) {
                int to = Math.min(names.size(), from + NAMES_PER_QUESTION);
                probe(names, from, to, out, deadline);
            }
        } catch (IOException failed) {
            // What was learnt before it counts; the state says the rest.
            count(failed);
        }
        return counts.count(out, names.size());
    }

    private void count(IOException failed) {
        if (failed instanceof HttpLateException) {
            counts.overdueQuestion();
        } else {
            counts.failedQuestion();
        }
    }

    private void probe(List<String> names, int from, int to, byte[] out, long deadline) throws IOException {
        StringBuilder path = new StringBuilder("/batch_query_keys?keys=");
        int start = path.length();
        for (int i = from; i < to; i++) {
            if (names.get(i).indexOf(',') < 0) {
                path.append(path.length() > start ? "," : "")
                        .append(URLEncoder.encode(names.get(i), StandardCharsets.UTF_8));
            }
        }
        if (path.length() == start) {
            return;
        }
        JsonNode data = json(path.toString(), deadline).path("data");
        for (int i = from; i < to; i++) {
            JsonNode answer = data.path(names.get(i));
            if (answer.path("ok").asBoolean()) {
                out[i] = PRESENT;
            } else if (NOT_FOUND.equals(answer.path("error").asText())) {
                out[i] = ABSENT;
            }
        }
    }

    @Override
    public long list(Names names) throws IOException {
        serving();
        try (ListingLines lines = new ListingLines(
                HttpAnswer.of(client, uri("/get_all_keys"), patienceMs, BodyHandlers.ofPublisher()), patienceMs)) {
            long told = lines.tell(names);
            answered();
            return told;
        } catch (IOException failed) {
            throw silent(failed);
        }
    }

    /** Refuses a master that is not the one in charge: its list would be empty, or old. */
    private void serving() throws IOException {
        JsonNode health = json("/health", deadline());
        if (!health.path("service_ready").asBoolean(true)) {
            throw silent(new IOException("the master does not serve: role="
                    + health.path("role").asText() + ", ha_state="
                    + health.path("ha_state").asText()));
        }
    }

    @Override
    public Published published() throws IOException {
        JsonNode status = json("/kv_events/status", deadline());
        if (!status.has("enabled")) {
            return null;
        }
        return new Published(
                status.path("enabled").asBoolean(),
                status.path("published_batches").asLong(),
                status.path("dropped_events").asLong(),
                status.path("skipped_keyless_events").asLong()
                        + status.path("skipped_unparsed_keys").asLong());
    }

    /** The master's own figures. */
    public MasterFigures figures() throws IOException {
        return MasterFigures.read(text("/metrics", deadline()));
    }

    private long deadline() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
    }

    private JsonNode json(String path, long deadline) throws IOException {
        String text = text(path, deadline);
        try {
            return JSON.readTree(text);
        } catch (IOException notJson) {
            throw silent(new IOException("not JSON: " + url + path, notJson));
        }
    }

    private String text(String path, long deadline) throws IOException {
        long remainingMs = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        try {
            String text = HttpAnswer.of(client, uri(path), remainingMs, BodyHandlers.ofString());
            answered();
            return text;
        } catch (IOException failed) {
            throw silent(failed);
        }
    }

    private URI uri(String path) {
        return URI.create(url + path);
    }

    private void answered() {
        if (state != StoreState.CLOSED) {
            cause = null;
            state = StoreState.READY;
        }
    }

    private IOException silent(IOException failed) {
        if (state != StoreState.CLOSED) {
            cause = failed.getMessage();
            state = failed instanceof HttpLateException ? StoreState.SLOW : StoreState.DOWN;
        }
        return failed;
    }

    @Override
    public void close() {
        state = StoreState.CLOSED;
        cause = "closed";
        client.shutdownNow();
    }
}
