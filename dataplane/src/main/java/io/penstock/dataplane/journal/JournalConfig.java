package io.penstock.dataplane.journal;

/**
 * The trace journal: where it lies, how long it is kept, what of it can be linked.
 *
 * @param folder its folder; empty: {@code journal} in the data folder
 * @param rollCycle how often a new file begins; a folder keeps its own. Whole files are deleted
 * @param keepHours files whose newest record may be older are deleted; 0: age does not matter
 * @param keepBytes while the files are more together, the oldest is deleted, never the one written; 0: size does not matter
 * @param minFreeBytes with less free space on the disk nothing is written: records are dropped and counted
 * @param salt secret with which the hashes of prompts are salted on disk; empty: as they are
 * @param fullEvery records of a session after which one tells all its hashes again, 1 to 4,096
 */
public record JournalConfig(
        String folder,
        JournalRoll rollCycle,
        int keepHours,
        long keepBytes,
        long minFreeBytes,
        String salt,
        int fullEvery) {
    private static final int MOST_HOURS = 24 * 3_660;

    /** Refuses what cannot work, in one line. */
    public JournalConfig {
        folder = folder == null ? "" : folder;
        salt = salt == null ? "" : salt;
        rollCycle = rollCycle == null ? JournalRoll.HOURLY : rollCycle;
        if (keepHours < 0 || keepHours > MOST_HOURS) {
            throw new IllegalArgumentException("not in 0.." + MOST_HOURS + ": keepHours=" + keepHours);
        }
        if (keepBytes < 0) {
            throw new IllegalArgumentException("negative: keepBytes=" + keepBytes);
        }
        if (minFreeBytes < 0) {
            throw new IllegalArgumentException("negative: minFreeBytes=" + minFreeBytes);
        }
        if (fullEvery < 1 || fullEvery > 4_096) {
            throw new IllegalArgumentException("not in 1..4096: fullEvery=" + fullEvery);
        }
    }

    /** Hourly files, kept a week or up to 10 GiB, 256 MiB left free, unsalted, a full list every 64 records. */
    public static JournalConfig defaults() {
        return new JournalConfig("", JournalRoll.HOURLY, 7 * 24, 10L << 30, 256L << 20, "", 64);
    }
}
