package io.penstock.dataplane.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import io.penstock.bindings.harness.AgentContext;
import io.penstock.bindings.harness.IdentitySource;
import io.penstock.bindings.harness.InputTrigger;
import io.penstock.dataplane.pipeline.DecisionRecord;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Appending allocates nothing, however long the prompt. */
class JournalAllocationTest {
    private static final int RECORDS = 4_000;

    @TempDir
    Path folder;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final DecisionRecord slot = new DecisionRecord();

    @ParameterizedTest
    @CsvSource({"8,''", "8,secret", "1024,''", "8192,''"})
    void shouldAllocateNothingPerRecordWhenWarm(int blocks, String salt) {
        JournalWriter writer = new JournalFixture(folder).writer(64, salt);
        TraceRecord[] records = new TraceRecord[64];
        for (int i = 0; i < records.length; i++) {
            records[i] = record("session-" + i % 8, i % 8, blocks - 8 + i / 8 + 1);
        }
        append(writer, records);
        // Every sixteen MiB a new part of the file is mapped, which makes some objects; a record of its own would show.
        long least = Long.MAX_VALUE;
        for (int tries = 0; tries < 5 && least / RECORDS > 0; tries++) {
            long before = allocated();
            append(writer, records);
            least = Math.min(least, allocated() - before);
        }
        JournalFixture.end(writer);
        assertEquals(0, least / RECORDS, "bytes per record; in all " + least);
    }

    private void append(JournalWriter writer, TraceRecord[] records) {
        for (int i = 0; i < RECORDS; i++) {
            slot.trace = records[i % records.length];
            writer.onEvent(slot, i, true);
        }
    }

    private long allocated() {
        return threads.getThreadAllocatedBytes(Thread.currentThread().threadId());
    }

    private static TraceRecord record(String session, int seed, int blocks) {
        TraceRecord record = Traces.turn(session, seed, blocks);
        Map<String, List<String>> headers = new LinkedHashMap<>();
        headers.put("x-claude-code-session-id", List.of("c"));
        headers.put("x-claude-code-prev-tool-durations", List.of("Bash=742;Bash=9", "é"));
        record.agent = new AgentContext(
                session,
                "parent",
                true,
                InputTrigger.TOOL_RESULT,
                Collections.unmodifiableMap(headers),
                IdentitySource.CLAUDE_CODE,
                "group");
        record.partial = true;
        record.partialHash = 7;
        record.traceHashes = Traces.hashes(seed + 50L, blocks);
        record.choices.add(new TraceRecord.ChoiceEnd(0, "tool_use", null));
        record.toolCalls.add(new TraceRecord.ToolCall(0, 0, "toolu_1", "Bash"));
        return record;
    }
}
