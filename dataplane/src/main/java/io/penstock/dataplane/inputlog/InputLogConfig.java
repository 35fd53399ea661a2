package io.penstock.dataplane.inputlog;

/**
 * The flight recorder of the core's inputs and decisions, from which {@code penstock explain} decides again.
 *
 * @param enabled whether it is on
 * @param folder its folder; empty: {@code inputlog} in the data folder
 * @param ringMb room between core and disk, MiB, a power of two from 8 to 1024; when it is full inputs are left out of the log
 * @param segmentMb size at which a new file is begun and a checkpoint is taken, MiB, 1 to 4096
 * @param checkpointMinutes time after which a checkpoint is taken though the file has not grown so far, 1 to 1440
 * @param retainMb size of files and checkpoints together beyond which the oldest go, MiB
 * @param retainHours age beyond which they go
 */
public record InputLogConfig(
        boolean enabled,
        String folder,
        int ringMb,
        int segmentMb,
        int checkpointMinutes,
        long retainMb,
        int retainHours) {
    /** Refuses what cannot work. */
    public InputLogConfig {
        folder = folder == null ? "" : folder;
        if (ringMb < 8 || ringMb > 1_024 || Integer.bitCount(ringMb) != 1) {
            throw new IllegalArgumentException("not a power of two in 8..1024: ringMb=" + ringMb);
        }
        range("segmentMb", segmentMb, 1, 4_096);
        range("checkpointMinutes", checkpointMinutes, 1, 1_440);
        range("retainMb", retainMb, 2L * segmentMb, 1L << 30);
        range("retainHours", retainHours, 1, 100_000);
    }

    /** Off; 64 MiB of ring, files of 256 MiB, a checkpoint at least every 10 minutes, 16 GiB or a day kept. */
    public static InputLogConfig defaults() {
        return new InputLogConfig(false, "", 64, 256, 10, 16_384, 24);
    }

    private static void range(String name, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException("not in " + low + ".." + high + ": " + name + "=" + value);
        }
    }
}
