package io.penstock.dataplane.engine;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.DoubleAdder;

/**
 * A Prometheus histogram with fixed bounds.
 *
 * <p><b>Threading:</b> thread-safe; one writer in practice.
 */
final class LatencyHistogram {
    private final double[] bounds;
    private final AtomicLongArray counts;
    private final DoubleAdder sum = new DoubleAdder();

    LatencyHistogram(double... bounds) {
        this.bounds = bounds;
        this.counts = new AtomicLongArray(bounds.length + 1);
    }

    void record(double value) {
        int i = 0;
        while (i < bounds.length && value > bounds[i]) {
            i++;
        }
        counts.incrementAndGet(i);
        sum.add(value);
    }

    /** Appends buckets, count and sum in the text format. */
    void appendTo(StringBuilder out, String name, String labels) {
        long total = 0;
        for (int i = 0; i <= bounds.length; i++) {
            total += counts.get(i);
            String le = i == bounds.length ? "+Inf" : Double.toString(bounds[i]);
            out.append(name)
                    .append("_bucket{")
                    .append(labels)
                    .append(",le=\"")
                    .append(le)
                    .append("\"} ")
                    .append((double) total)
                    .append('\n');
        }
        out.append(name)
                .append("_count{")
                .append(labels)
                .append("} ")
                .append((double) total)
                .append('\n');
        out.append(name)
                .append("_sum{")
                .append(labels)
                .append("} ")
                .append(sum.sum())
                .append('\n');
    }
}
