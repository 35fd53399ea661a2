package io.penstock.dataplane.pool;

/**
 * What a Mooncake master says of itself in its metrics; -1 where it says nothing.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param objects it knows of
 * @param evictedObjects since its start: none of these were published as removed
 * @param allocatedBytes in the engines' memory
 * @param capacityBytes of the engines' memory
 */
public record MasterFigures(long objects, long evictedObjects, long allocatedBytes, long capacityBytes) {
    /** Reads the Prometheus text. */
    static MasterFigures read(String metrics) {
        long[] values = {-1, -1, -1, -1};
        metrics.lines().forEach(line -> {
            int space = line.lastIndexOf(' ');
            int field = space < 0
                    ? -1
                    : switch (line.substring(0, space)) {
                        case "master_key_count" -> 0;
                        case "master_evicted_key_count" -> 1;
                        case "master_allocated_bytes" -> 2;
                        case "master_total_capacity_bytes" -> 3;
                        default -> -1;
                    };
            if (field >= 0) {
                values[field] = number(line.substring(space + 1));
            }
        });
        return new MasterFigures(values[0], values[1], values[2], values[3]);
    }

    private static long number(String text) {
        try {
            return (long) Double.parseDouble(text);
        } catch (NumberFormatException unreadable) {
            return -1;
        }
    }
}
