package io.penstock.dataplane.journal;

/**
 * Where what lies in a journal's record. Little-endian, not aligned; docs/formats/trace-journal.md has the table.
 *
 * <pre>
 *  document   | LENGTH u32 | CRC u32 | VERSION u8 | FLAGS u8 | PART u16 | bytes of the record ... |
 *  record     | fixed part (TraceLayout) | texts, headers, choices, tool calls | hashes | trace hashes | payloads |
 * </pre>
 *
 * <p>A record longer than a document goes on in the next ones; it is there once its last part is.
 *
 * <p><b>Threading:</b> constants.
 */
final class TraceLayout {
    static final int VERSION_NOW = 1;

    /** Most bytes of a document. */
    static final int MAX_DOCUMENT_BYTES = 1 << 16;

    /** Bytes of the document, these four included. */
    static final int LENGTH = 0;
    /** CRC32C of everything behind it in the document. */
    static final int CRC = LENGTH + 4;

    static final int VERSION = CRC + 4;
    static final int PART_FLAGS = VERSION + 1;
    static final int PART = PART_FLAGS + 1;
    static final int DOCUMENT_HEADER = PART + 2;

    static final int FIRST = 1;
    static final int LAST = 2;

    static final int KIND = 0;
    static final int OUTCOME = KIND + 1;
    static final int SOURCE = OUTCOME + 1;
    static final int TRIGGER = SOURCE + 1;
    static final int FLAGS = TRIGGER + 1;
    static final int STATUS = FLAGS + 4;
    static final int ATTEMPTS = STATUS + 4;
    static final int INPUT_TOKENS = ATTEMPTS + 4;
    static final int OUTPUT_TOKENS = INPUT_TOKENS + 4;
    static final int PREDICTED_CACHED_TOKENS = OUTPUT_TOKENS + 4;
    static final int CACHED_TOKENS = PREDICTED_CACHED_TOKENS + 4;
    static final int RANK = CACHED_TOKENS + 4;
    static final int SLOT = RANK + 4;
    static final int OVERLAP_BLOCKS = SLOT + 4;
    static final int EPOCH_MS = OVERLAP_BLOCKS + 4;
    static final int RECEIVED_MS = EPOCH_MS + 8;
    static final int ROUTED_MS = RECEIVED_MS + 8;
    static final int FIRST_TOKEN_MS = ROUTED_MS + 8;
    static final int TOTAL_MS = FIRST_TOKEN_MS + 8;
    static final int WAIT_NS = TOTAL_MS + 8;
    static final int BLOCK_SIZE = WAIT_NS + 8;
    static final int HASH_COUNT = BLOCK_SIZE + 4;
    /** Leading hashes that are those of the record at {@link #BASE}. */
    static final int SHARED = HASH_COUNT + 4;
    /** Records to go back to a full list. */
    static final int DEPTH = SHARED + 4;
    /** Position of the record whose leading hashes these are, 0 for none. */
    static final int BASE = DEPTH + 4;

    static final int PARTIAL_HASH = BASE + 8;
    static final int FIXED_BYTES = PARTIAL_HASH + 8;

    static final int EXACT = 1;
    static final int PARTIAL = 1 << 1;
    static final int TRACE_HASHES = 1 << 2;
    static final int TOOL = 1 << 3;
    static final int ACTION = 1 << 4;
    static final int FINAL_KNOWN = 1 << 5;
    static final int FINAL = 1 << 6;
    static final int SALTED = 1 << 7;

    private TraceLayout() {}
}
