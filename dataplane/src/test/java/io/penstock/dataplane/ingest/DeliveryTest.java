package io.penstock.dataplane.ingest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.penstock.dataplane.hashing.PromptHasher;
import io.penstock.dataplane.pipeline.BlockBuffer;
import io.penstock.dataplane.pipeline.BlockBuffers;
import io.penstock.dataplane.pipeline.EventPort;
import io.penstock.index.Overlaps;
import io.penstock.index.Tier;
import io.penstock.index.reference.ReferenceIndex;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DeliveryTest {
    private static final int[] TOKENS = {1, 2, 3, 4, 5, 6, 7, 8};

    private final EventDecoder decoder = new EventDecoder(1 << 10);
    private final FeedCounters counters = new FeedCounters();
    private final IndexPort port = new IndexPort(new ReferenceIndex(2, 1 << 20, 4));
    private final int slot = port.index.openSlot("engine", 0);

    @Test
    void shouldKeepTheSaltWhenLaterEventsDoNotNameIt() {
        Delivery delivery = delivery(2, 0, true);
        apply(delivery, 0, stored(List.of(1L, 2L), null, 0, "extra_keys", Arrays.asList(List.of("tenant"), null)));
        apply(delivery, 0, stored(List.of(3L), 2L, 4, "extra_keys", null));
        apply(delivery, 0, stored(List.of(4L), 3L, 6));
        assertFound(4, PromptHasher.of(2, null, "tenant"));
        assertFound(0, PromptHasher.of(2, null, null));
    }

    @Test
    void shouldKnowTheSaltAfterARestartWhenEarlierBatchesAreReadAgain() {
        apply(delivery(2, 0, true), 0, stored(List.of(1L), null, 0, "extra_keys", List.of(List.of("tenant"))));
        Delivery restarted =
                new Delivery(port, new EventDecoder(8), new EventDecoder(8).cursor("vllm"), counters, slot, 2, 0, true);
        byte[] earlier = Packed.batch(0, stored(List.of(1L), null, 0, "extra_keys", List.of(List.of("tenant"))));
        restarted.prime(earlier, 0, earlier.length);
        apply(restarted, 0, stored(List.of(2L), 1L, 2));
        assertFound(2, PromptHasher.of(2, null, "tenant"));
    }

    @Test
    void shouldSeparateAdaptersAndSaltsWhenBothAreGiven() {
        Delivery delivery = delivery(2, 0, true);
        Object keys = Arrays.asList(List.of("ad1", "tenant"), List.of("ad1"));
        apply(delivery, 0, stored(List.of(1L, 2L), null, 0, "lora_name", "ad1", "extra_keys", keys));
        apply(delivery, 0, stored(List.of(3L), 2L, 4, "lora_name", "ad1", "extra_keys", List.of(List.of("ad1"))));
        assertFound(3, PromptHasher.of(2, "ad1", "tenant"));
        assertFound(0, PromptHasher.of(2, "ad1", null));
    }

    @Test
    void shouldMixImagesInWhenABlockHasSome() {
        Object keys = Arrays.asList(null, List.of(Arrays.asList("picture", 3), Arrays.asList("other", 3)));
        apply(delivery(2, 0, true), 0, stored(List.of(1L, 2L), null, 0, "extra_keys", keys));
        PromptHasher hasher = PromptHasher.of(2, null, null);
        long[] media = {PromptHasher.mediaHash("picture"), PromptHasher.mediaHash("other")};
        long first = hasher.local(TOKENS, 0);
        long second = io.penstock.index.ChainHash.next(first, hasher.localMultimodal(TOKENS, 2, media, 0, 2));
        assertEquals(2, match(new long[] {first, second}));
    }

    @Test
    void shouldSplitTheEventWhenItHasMoreBlocksThanABufferTakes() {
        int blocks = BlockBuffers.maxBlocks() + 5_000;
        List<Long> hashes = LongStream.rangeClosed(1, blocks).boxed().toList();
        int[] tokens = IntStream.range(0, blocks).toArray();
        Map<String, Object> event = stored(
                hashes, null, 0, "token_ids", IntStream.of(tokens).boxed().toList());
        event.put("block_size", 1);
        IndexPort ones = new IndexPort(new ReferenceIndex(1, 1 << 20, 4));
        int of = ones.index.openSlot("engine", 0);
        ones.refuseEvery = 3;
        Delivery delivery = new Delivery(ones, decoder, decoder.cursor("vllm"), counters, of, 1, 0, true);
        apply(delivery, 0, event);
        long[] chain = new long[blocks];
        PromptHasher.of(1, null, null).chain(tokens, blocks, 0, chain);
        Overlaps overlaps = new Overlaps(4);
        ones.index.match(chain, blocks, overlaps);
        assertEquals(blocks, overlaps.blocks(0, Tier.DEVICE));
        assertEquals(blocks, ones.index.heldBlocks(of, Tier.DEVICE));
        apply(delivery, 0, Packed.event("BlockRemoved", "block_hashes", hashes, "medium", "GPU"));
        assertEquals(0, ones.index.blockCount());
        assertEquals(0, ones.out);
    }

    @Test
    void shouldLeaveTheMainGroupAloneWhenAnotherGroupRemovesTheSameHash() {
        Delivery delivery = delivery(2, 0, true);
        apply(
                delivery,
                0,
                stored(List.of(1L), null, 0, "group_idx", 0, "kv_cache_spec_kind", "full_attention"),
                stored(List.of(1L), null, 0, "group_idx", 1, "kv_cache_spec_kind", "sliding_window"),
                Packed.event("BlockRemoved", "block_hashes", List.of(1L), "medium", "GPU", "group_idx", 1));
        assertFound(1, PromptHasher.of(2, null, null));
        assertEquals(2, count(FeedCounter.DROPPED_NON_MAIN_GROUP));
        apply(delivery, 0, Packed.event("BlockRemoved", "block_hashes", List.of(1L), "medium", "GPU", "group_idx", 0));
        assertFound(0, PromptHasher.of(2, null, null));
    }

    @Test
    void shouldDropAndCountWhenBlockSizeOrRankAreNotTheFeeds() {
        apply(delivery(4, 0, true), 0, stored(List.of(1L), null, 0));
        assertEquals(1, count(FeedCounter.DROPPED_BLOCK_SIZE));
        apply(delivery(2, 0, false), 1, stored(List.of(1L), null, 0));
        assertEquals(1, count(FeedCounter.WRONG_RANK_BATCHES));
        assertEquals(0, port.index.blockCount());
        apply(delivery(2, 0, true), 1, stored(List.of(1L), null, 0));
        assertEquals(1, port.index.blockCount());
    }

    @Test
    void shouldAllocateNothingWhenBatchesAreAlike() {
        EventPort sink = new Sink();
        Delivery delivery = new Delivery(sink, decoder, decoder.cursor("vllm"), counters, 0, 2, 0, true);
        byte[] payload = Packed.batch(
                0,
                stored(
                        List.of(1L, 2L),
                        null,
                        0,
                        "lora_name",
                        "ad1",
                        "extra_keys",
                        Arrays.asList(List.of("salt"), null)),
                Packed.event("BlockRemoved", "block_hashes", List.of(1L), "medium", "GPU"));
        for (int i = 0; i < 30_000; i++) {
            deliver(delivery, payload);
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long least = Long.MAX_VALUE;
        // The runtime now and then allocates a little on this thread: one clean round shows what the code needs.
        for (int round = 0; round < 10 && least > 0; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 10_000; i++) {
                deliver(delivery, payload);
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertEquals(0, least, "bytes over 10,000 batches");
    }

    @Test
    void shouldForgetTheOldestSaltsWhenThereAreTooMany() {
        SaltMemory salts = new SaltMemory(4);
        for (long hash = 1; hash <= 8; hash++) {
            salts.keep(hash, 100 + hash);
        }
        assertEquals(101, salts.of(1));
        for (long hash = 9; hash <= 12; hash++) {
            salts.keep(hash, 100 + hash);
        }
        assertArrayEquals(new long[] {101, 0, 112}, new long[] {salts.of(1), salts.of(3), salts.of(12)});
    }

    private static void deliver(Delivery delivery, byte[] payload) {
        delivery.batch(0, payload, 0, payload.length, false);
        delivery.flush();
    }

    private Delivery delivery(int blockSize, int rank, boolean oneRank) {
        return new Delivery(port, decoder, decoder.cursor("vllm"), counters, slot, blockSize, rank, oneRank);
    }

    private static void apply(Delivery delivery, int rank, Object... events) {
        byte[] payload = Packed.batch(rank, events);
        delivery.batch(0, payload, 0, payload.length, false);
        for (int i = 0; !delivery.flush(); i++) {
            assertTrue(i < 1_000, "never taken");
        }
    }

    private static Map<String, Object> stored(List<Long> hashes, Long parent, int fromToken, Object... fields) {
        Map<String, Object> event = Packed.event(
                "BlockStored",
                "block_hashes",
                hashes,
                "parent_block_hash",
                parent,
                "token_ids",
                IntStream.of(Arrays.copyOfRange(
                                TOKENS, fromToken, Math.min(TOKENS.length, fromToken + 2 * hashes.size())))
                        .boxed()
                        .toList(),
                "block_size",
                2,
                "lora_id",
                null,
                "medium",
                "GPU");
        for (int i = 0; i < fields.length; i += 2) {
            event.put((String) fields[i], fields[i + 1]);
        }
        return event;
    }

    private long count(FeedCounter counter) {
        return counters.snapshot()[counter.ordinal()];
    }

    private void assertFound(int blocks, PromptHasher hasher) {
        long[] chain = new long[4];
        hasher.chain(TOKENS, TOKENS.length, 0, chain);
        assertEquals(blocks, match(chain));
    }

    private int match(long[] chain) {
        Overlaps overlaps = new Overlaps(4);
        port.index.match(chain, chain.length, overlaps);
        return overlaps.size() == 0 ? 0 : overlaps.blocks(0, Tier.DEVICE);
    }

    /** Takes everything. */
    private static final class Sink implements EventPort {
        private final BlockBuffers buffers = new BlockBuffers();

        @Override
        public BlockBuffer acquire(int blocks) {
            return buffers.acquire(blocks);
        }

        @Override
        public void release(BlockBuffer buffer) {
            buffers.release(buffer);
        }

        @Override
        public boolean stored(int slot, int tier, boolean root, long parentEngineHash, BlockBuffer blocks) {
            buffers.release(blocks);
            return true;
        }

        @Override
        public boolean removed(int slot, int tier, BlockBuffer blocks) {
            buffers.release(blocks);
            return true;
        }

        @Override
        public boolean cleared(int slot) {
            return true;
        }

        @Override
        public boolean batchEnd(int slot, long sequence, long timestampBits, long batchHash) {
            return true;
        }

        @Override
        public boolean doubted(int slot) {
            return true;
        }

        @Override
        public boolean proven(int slot) {
            return true;
        }

        @Override
        public boolean cold(int slot) {
            return true;
        }
    }
}
