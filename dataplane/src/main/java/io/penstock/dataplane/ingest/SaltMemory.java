package io.penstock.dataplane.ingest;

import org.agrona.collections.Long2LongHashMap;

/**
 * Which salt a salted block was stored under. vLLM names the salt on a prompt's first block only; a later event of the
 * same chain finds it here under its parent's engine hash.
 *
 * <p>Engine hashes are made from content and salt, so an entry never becomes wrong, only unneeded: there is no removal.
 * Two generations bound the size; an entry that is asked for moves to the young one. A forgotten salt makes a block
 * impossible to find, never found under another salt, since its chain starts at a salted block.
 *
 * <p><b>Threading:</b> owned by a reader. <b>Cost:</b> nothing where nobody uses salts; some 30 bytes an entry.
 */
final class SaltMemory {
    private static final long NONE = 0;

    private final int generationSize;
    private Long2LongHashMap young = new Long2LongHashMap(NONE);
    private Long2LongHashMap old = new Long2LongHashMap(NONE);

    SaltMemory(int generationSize) {
        this.generationSize = generationSize;
    }

    /** Seed term of the salt that the block was stored under, or 0. */
    long of(long engineHash) {
        long term = young.get(engineHash);
        if (term == NONE && !old.isEmpty()) {
            term = old.get(engineHash);
            if (term != NONE) {
                keep(engineHash, term);
            }
        }
        return term;
    }

    /** Notes the salt of a block. */
    void keep(long engineHash, long term) {
        if (young.size() >= generationSize) {
            Long2LongHashMap forgotten = old;
            old = young;
            young = forgotten;
            young.clear();
        }
        young.put(engineHash, term);
    }
}
