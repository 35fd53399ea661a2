package io.penstock.dataplane.inputlog;

import io.penstock.dataplane.pipeline.SlotPosition;
import io.penstock.dataplane.pipeline.WorkerAddition;
import io.penstock.dataplane.pipeline.WorkerReply;
import io.penstock.dataplane.workers.WorkerEndpoint;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Body of a worker that comes.
 *
 * <pre>
 *   number, model, block size, KV events (0, 1) i32; taints, total KV blocks, max batched tokens i64; name;
 *   adapters: count i32, i32 each; wanted slots: count i32 or -1 for none, i32 each;
 *   ranks: count i32, each worker, rank i32, ranks i32, host, port i32, base path, engine
 * </pre>
 *
 * <p>A text is its length in bytes i32 and UTF-8. Java's data streams write big-endian, so numbers are turned on the way.
 *
 * <p><b>Threading:</b> stateless; allocates.
 */
final class WorkerBytes {
    private static final WorkerReply SILENT = new WorkerReply() {
        @Override
        public void added(int workerNumber, List<SlotPosition> ranks) {}

        @Override
        public void refused(int workerNumber, String why) {}
    };

    private WorkerBytes() {}

    /** A worker and the slots that it is to have. */
    @SuppressWarnings("ArrayRecordComponent")
    record Wanted(WorkerAddition worker, int[] slots) {}

    static byte[] of(WorkerAddition w, int[] wanted) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            number(out, w.number());
            number(out, w.model());
            number(out, w.blockSize());
            number(out, w.kvEvents() ? 1 : 0);
            out.writeLong(Long.reverseBytes(w.taints()));
            out.writeLong(Long.reverseBytes(w.totalKvBlocks()));
            out.writeLong(Long.reverseBytes(w.maxBatchedTokens()));
            text(out, w.name());
            number(out, w.adapters().size());
            for (int adapter : w.adapters()) {
                number(out, adapter);
            }
            number(out, wanted == null ? -1 : wanted.length);
            for (int i = 0; wanted != null && i < wanted.length; i++) {
                number(out, wanted[i]);
            }
            number(out, w.endpoints().size());
            for (WorkerEndpoint rank : w.endpoints()) {
                text(out, rank.worker());
                number(out, rank.dpRank());
                number(out, rank.dpSize());
                text(out, rank.host());
                number(out, rank.port());
                text(out, rank.basePath());
                text(out, rank.engine());
            }
        } catch (IOException cannotBe) {
            throw new UncheckedIOException(cannotBe);
        }
        return bytes.toByteArray();
    }

    private static void number(DataOutputStream out, int value) throws IOException {
        out.writeInt(Integer.reverseBytes(value));
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = (text == null ? "" : text).getBytes(StandardCharsets.UTF_8);
        number(out, bytes.length);
        out.write(bytes);
    }

    static Wanted read(ByteBuffer body) {
        int number = body.getInt();
        int model = body.getInt();
        int blockSize = body.getInt();
        boolean events = body.getInt() != 0;
        long taints = body.getLong();
        long totalKvBlocks = body.getLong();
        long maxBatchedTokens = body.getLong();
        String name = text(body);
        List<Integer> adapters = new ArrayList<>();
        for (int left = body.getInt(); left > 0; left--) {
            adapters.add(body.getInt());
        }
        int wanted = body.getInt();
        int[] slots = wanted < 0 ? null : new int[wanted];
        for (int i = 0; i < wanted; i++) {
            slots[i] = body.getInt();
        }
        List<WorkerEndpoint> ranks = new ArrayList<>();
        for (int left = body.getInt(); left > 0; left--) {
            String worker = text(body);
            int rank = body.getInt();
            int size = body.getInt();
            String host = text(body);
            ranks.add(new WorkerEndpoint(-1, worker, rank, size, host, body.getInt(), text(body), text(body)));
        }
        return new Wanted(
                new WorkerAddition(
                        number,
                        name,
                        model,
                        blockSize,
                        events,
                        ranks,
                        adapters,
                        taints,
                        totalKvBlocks,
                        maxBatchedTokens,
                        SILENT),
                slots);
    }

    private static String text(ByteBuffer body) {
        byte[] bytes = new byte[body.getInt()];
        body.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
