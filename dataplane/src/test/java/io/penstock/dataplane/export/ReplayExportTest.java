package io.penstock.dataplane.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Replay inputs, row by row as worked out by hand. */
final class ReplayExportTest {
    private static final long SEED = Long.getLong("penstock.seed", 20261130L);

    @Test
    void shouldWriteRowsByStartWithCompactIdsWhenMooncake() throws IOException {
        Exported exported =
                Exported.of(ExportFormat.MOONCAKE, TraceScript.agents().source());
        assertEquals(
                List.of(
                        "{'request_id':'r1','timestamp':0,'session_id':'root','input_length':8,'output_length':2,'hash_ids':[0,1]}",
                        "{'request_id':'r2','timestamp':200,'session_id':'root','delay':100,'input_length':10,'output_length':2,'hash_ids':[0,1,2]}",
                        "{'request_id':'t','timestamp':250,'session_id':'root','delay':0,'input_length':3,'output_length':2,'hash_ids':[3]}",
                        "{'request_id':'c1','timestamp':260,'session_id':'child','input_length':8,'output_length':2,'hash_ids':[0,4]}",
                        "{'request_id':'g1','timestamp':410,'session_id':'grand','input_length':4,'output_length':2,'hash_ids':[5]}",
                        "{'request_id':'c2','timestamp':500,'session_id':'child','delay':100,'input_length':12,'output_length':2,'hash_ids':[0,4,6]}",
                        "{'request_id':'r3','timestamp':900,'session_id':'root','delay':620,'input_length':12,'output_length':2,'hash_ids':[0,1,7]}"),
                exported.lines().stream().map(line -> line.replace('"', '\'')).toList());
        assertEquals(1, exported.notice("left out: records that are no requests"));
        assertEquals(7, exported.notice("written: requests with blocks of 4 tokens"));
    }

    @Test
    void shouldWriteIndependentRowsWhenForAiperf() throws IOException {
        Exported exported =
                Exported.of(ExportFormat.AIPERF_MOONCAKE, TraceScript.agents().source());
        assertEquals(
                "{'timestamp':200,'input_length':10,'output_length':2,'hash_ids':[0,1,2]}",
                exported.lines().get(1).replace('"', '\''));
        for (JsonNode row : exported.rows()) {
            assertEquals(4, row.size(), row.toString());
        }
    }

    @Test
    void shouldSayWhatWaitsForWhatWhenAgenticMooncake() throws IOException {
        Exported exported =
                Exported.of(ExportFormat.AGENTIC_MOONCAKE, TraceScript.agents().source());
        List<JsonNode> rows = exported.rows();
        JsonNode header = rows.getFirst();
        assertEquals("dynamo.agentic_mooncake", header.path("schema").asText());
        assertEquals(2, header.path("version").asInt());
        assertEquals(4, header.path("block_size").asInt());
        assertEquals("local", header.path("hash_id_scope").asText());
        assertEquals("list", header.path("source").path("format").asText());
        Map<String, String> waits = new HashMap<>();
        for (JsonNode row : rows.subList(1, rows.size())) {
            waits.put(
                    row.path("request_id").asText(),
                    row.path("dependencies").toString().replace('"', '\''));
            assertEquals("play-1", row.path("play_id").asText());
            assertEquals(0, row.path("not_before_ms").asLong());
        }
        assertEquals("[]", waits.get("r1"));
        assertEquals(
                "[{'request_id':'r1','trigger':'completion','delay_ms':100,'relation':'sequence'}]", waits.get("r2"));
        assertEquals("[{'request_id':'r2','trigger':'completion','delay_ms':0,'relation':'sequence'}]", waits.get("t"));
        assertEquals("[{'request_id':'t','trigger':'dispatch','delay_ms':10,'relation':'spawn'}]", waits.get("c1"));
        assertEquals("[{'request_id':'c1','trigger':'dispatch','delay_ms':150,'relation':'spawn'}]", waits.get("g1"));
        assertEquals(
                "[{'request_id':'c1','trigger':'completion','delay_ms':100,'relation':'sequence'}]", waits.get("c2"));
        assertEquals(
                "[{'request_id':'t','trigger':'completion','delay_ms':620,'relation':'sequence'},"
                        + "{'request_id':'c2','trigger':'completion','delay_ms':300,'relation':'join'}]",
                waits.get("r3"));
        assertEquals(1, exported.notice("delays set to 0"));
    }

    @Test
    void shouldStartByTheClockWhenNothingIsWaitedFor() throws IOException {
        TraceScript script = new TraceScript();
        script.request("a", null, null, 100, 200, 4, 1);
        script.request("b", null, null, 150, 400, 4, 2);
        script.request("c", "s", "gone", 170, 180, 4, 3);
        Exported exported = Exported.of(ExportFormat.AGENTIC_MOONCAKE, script.source());
        List<JsonNode> rows = exported.rows();
        assertEquals(List.of(0L, 50L, 70L), numbers(rows, "not_before_ms"));
        assertEquals("play-3", rows.get(3).path("play_id").asText());
        assertEquals("b", rows.get(2).path("session_id").asText());
        assertEquals(1, exported.notice("sessions whose parent has no request in the trace"));
    }

    @Test
    void shouldHaveNoCycleWhenSessionsNameEachOtherAndTimesAreEqual() throws IOException {
        Random random = new Random(SEED);
        System.out.println("seed=" + SEED);
        TraceScript script = new TraceScript();
        for (int i = 0; i < 200; i++) {
            int start = random.nextInt(20);
            String parent = random.nextBoolean() ? "s" + random.nextInt(6) : null;
            script.request("q" + i, "s" + random.nextInt(6), parent, start, start + random.nextInt(3), 4, i);
        }
        List<JsonNode> rows =
                Exported.of(ExportFormat.AGENTIC_MOONCAKE, script.source()).rows();
        Map<String, String> playOf = new HashMap<>();
        for (JsonNode row : rows.subList(1, rows.size())) {
            for (JsonNode dependency : row.path("dependencies")) {
                // All that is waited for stands above, so there is no cycle.
                String play = playOf.get(dependency.path("request_id").asText());
                assertEquals(row.path("play_id").asText(), play, row.toString());
                assertTrue(dependency.path("delay_ms").asLong() >= 0, row.toString());
            }
            playOf.put(row.path("request_id").asText(), row.path("play_id").asText());
        }
        assertEquals(200, playOf.size());
    }

    @Test
    void shouldCountWhatIsLeftOutWhenItCannotBePlayed() throws IOException {
        TraceScript script = new TraceScript();
        script.request("good", "s", null, 0, 10, 4, 1);
        script.request("good", "s", null, 20, 30, 4, 1);
        script.request("fine", "s", null, 20, 30, 4, 1);
        script.request("uncounted", "s", null, 20, 30, 4, 1).outputTokens = -1;
        script.request("refused", "s", null, 20, 30, 4, 1).outputTokens = 0;
        script.request("text", "s", null, 20, 30, 4, 1).exact = false;
        script.request("unhashed", "s", null, 20, 30, 4).blockSize = 0;
        script.request("wide", "s", null, 20, 30, 16, 1).blockSize = 16;
        Exported exported = Exported.of(ExportFormat.MOONCAKE, script.source());
        assertEquals(2, exported.lines().size());
        assertEquals(1, exported.notice("left out: requests without an id of their own"));
        assertEquals(1, exported.notice("left out: requests whose output was not counted"));
        assertEquals(1, exported.notice("left out: requests that got no output"));
        assertEquals(1, exported.notice("left out: requests whose hashes are of text"));
        assertEquals(1, exported.notice("left out: requests without hashes"));
        assertEquals(1, exported.notice("left out: requests with blocks of another size than 4"));

        ExportOptions wide = new ExportOptions(16, true, false);
        Exported other = Exported.of(ExportFormat.MOONCAKE, script.source(), wide);
        assertEquals("wide", other.rows().getFirst().path("request_id").asText());
        assertEquals(1, other.rows().size());
    }

    @Test
    void shouldNeverWriteMoreIdsThanThePromptHasBlocks() throws IOException {
        TraceScript script = new TraceScript();
        script.request("cut", null, null, 0, 10, 5, 1, 2, 3);
        script.request("prefix", null, null, 20, 30, 50, 1, 2, 3);
        Exported exported = Exported.of(ExportFormat.AIPERF_MOONCAKE, script.source());
        assertEquals("[0,1]", exported.rows().get(0).path("hash_ids").toString());
        assertEquals("[0,1,2]", exported.rows().get(1).path("hash_ids").toString());
        assertEquals(1, exported.notice("cut: requests with more hashes"));
    }

    @Test
    void shouldHoldOnlyWhatRanBesideALongRequestWhenOrdering() throws IOException {
        TraceScript script = new TraceScript();
        script.request("long", null, null, 0, 5_000, 4, 1);
        for (int i = 0; i < 500; i++) {
            script.request("q" + i, null, null, 10 * i + 1, 10 * i + 5, 4, i);
        }
        List<JsonNode> rows =
                Exported.of(ExportFormat.AIPERF_MOONCAKE, script.source()).rows();
        List<Long> times = numbers(rows, "timestamp");
        assertEquals(501, times.size());
        for (int i = 1; i < times.size(); i++) {
            assertTrue(times.get(i) > times.get(i - 1), "row " + i);
        }
    }

    private static List<Long> numbers(List<JsonNode> rows, String name) {
        List<Long> numbers = new ArrayList<>();
        for (JsonNode row : rows) {
            if (row.has(name)) {
                numbers.add(row.path(name).asLong());
            }
        }
        return numbers;
    }
}
