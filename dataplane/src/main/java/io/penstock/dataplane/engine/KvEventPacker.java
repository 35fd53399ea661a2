package io.penstock.dataplane.engine;

import java.nio.charset.StandardCharsets;

/**
 * Packs the events of one pass as vLLM 0.32 does: {@code [timestamp, [event map, …], rank]}.
 *
 * <p>Fields stand in vLLM's order; those without a default are always there, as nil where unknown; {@code session_id}
 * only where the request named one.
 *
 * <p><b>Threading:</b> owned by the engine thread.
 */
final class KvEventPacker implements KvEventSink {
    private static final byte[] TYPE = utf8("type");
    private static final byte[] STORED = utf8("BlockStored");
    private static final byte[] REMOVED = utf8("BlockRemoved");
    private static final byte[] CLEARED = utf8("AllBlocksCleared");
    private static final byte[] BLOCK_HASHES = utf8("block_hashes");
    private static final byte[] PARENT = utf8("parent_block_hash");
    private static final byte[] TOKEN_IDS = utf8("token_ids");
    private static final byte[] BLOCK_SIZE = utf8("block_size");
    private static final byte[] LORA_ID = utf8("lora_id");
    private static final byte[] MEDIUM = utf8("medium");
    private static final byte[] GPU = utf8("GPU");
    private static final byte[] LORA_NAME = utf8("lora_name");
    private static final byte[] EXTRA_KEYS = utf8("extra_keys");
    private static final byte[] GROUP_IDX = utf8("group_idx");
    private static final byte[] SPEC_KIND = utf8("kv_cache_spec_kind");
    private static final byte[] FULL_ATTENTION = utf8("full_attention");
    private static final byte[] SESSION_ID = utf8("session_id");

    private final MsgPackWriter events = new MsgPackWriter(64 * 1024);
    private final MsgPackWriter head = new MsgPackWriter(32);
    private final int blockSize;
    private final boolean intHashes;
    private final int digestBytes;
    private int count;

    /**
     * @param blockSize tokens of a block
     * @param intHashes hashes as 64-bit integers instead of full digests
     * @param digestBytes bytes of a full digest
     */
    KvEventPacker(int blockSize, boolean intHashes, int digestBytes) {
        this.blockSize = blockSize;
        this.intHashes = intHashes;
        this.digestBytes = digestBytes;
    }

    @Override
    public void stored(Sequence sequence, int fromBlock, int toBlock) {
        BlockHashes chain = sequence.hashes();
        count++;
        events.map(sequence.sessionId() == null ? 11 : 12);
        events.utf8(TYPE);
        events.utf8(STORED);
        events.utf8(BLOCK_HASHES);
        events.array(toBlock - fromBlock);
        for (int b = fromBlock; b < toBlock; b++) {
            hash(chain.wire(b), chain.digests(), b * digestBytes);
        }
        events.utf8(PARENT);
        if (fromBlock == 0) {
            events.nil();
        } else {
            hash(chain.wire(fromBlock - 1), chain.digests(), (fromBlock - 1) * digestBytes);
        }
        events.utf8(TOKEN_IDS);
        int[] tokens = sequence.tokens();
        events.array((toBlock - fromBlock) * blockSize);
        for (int i = fromBlock * blockSize, to = toBlock * blockSize; i < to; i++) {
            events.unsigned(tokens[i] & 0xffff_ffffL);
        }
        events.utf8(BLOCK_SIZE);
        events.unsigned(blockSize);
        events.utf8(LORA_ID);
        BlockHasher.Adapter adapter = sequence.adapter();
        if (adapter == null) {
            events.nil();
        } else {
            events.unsigned(adapter.id());
        }
        events.utf8(MEDIUM);
        events.utf8(GPU);
        events.utf8(LORA_NAME);
        if (adapter == null) {
            events.nil();
        } else {
            events.text(adapter.name());
        }
        events.utf8(EXTRA_KEYS);
        events.array(toBlock - fromBlock);
        for (int b = fromBlock; b < toBlock; b++) {
            extraKeys(adapter, b == 0 ? sequence.salt() : null);
        }
        events.utf8(GROUP_IDX);
        events.unsigned(0);
        events.utf8(SPEC_KIND);
        events.utf8(FULL_ATTENTION);
        if (sequence.sessionId() != null) {
            events.utf8(SESSION_ID);
            events.text(sequence.sessionId());
        }
    }

    @Override
    public void removed(long hash, byte[] digests, int at) {
        count++;
        events.map(4);
        events.utf8(TYPE);
        events.utf8(REMOVED);
        events.utf8(BLOCK_HASHES);
        events.array(1);
        hash(hash, digests, at);
        events.utf8(MEDIUM);
        events.utf8(GPU);
        events.utf8(GROUP_IDX);
        events.unsigned(0);
    }

    @Override
    public void cleared() {
        count++;
        events.map(1);
        events.utf8(TYPE);
        events.utf8(CLEARED);
    }

    /** Events since the last {@link #finish}. */
    int count() {
        return count;
    }

    /** The payload of a batch, and an empty packer for the next. */
    byte[] finish(double timestampSeconds, int rank) {
        head.clear();
        head.array(3);
        head.float64(timestampSeconds);
        head.array(count);
        int eventsAt = head.length();
        head.unsigned(rank);
        byte[] payload = new byte[head.length() + events.length()];
        System.arraycopy(head.array(), 0, payload, 0, eventsAt);
        System.arraycopy(events.array(), 0, payload, eventsAt, events.length());
        System.arraycopy(head.array(), eventsAt, payload, eventsAt + events.length(), head.length() - eventsAt);
        events.clear();
        count = 0;
        return payload;
    }

    private void extraKeys(BlockHasher.Adapter adapter, String salt) {
        int keys = (adapter == null ? 0 : 1) + (salt == null ? 0 : 1);
        if (keys == 0) {
            events.nil();
            return;
        }
        events.array(keys);
        if (adapter != null) {
            events.text(adapter.name());
        }
        if (salt != null) {
            events.text(salt);
        }
    }

    private void hash(long wire, byte[] digests, int at) {
        if (intHashes) {
            events.unsigned(wire);
        } else {
            events.binary(digests, at, digestBytes);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
