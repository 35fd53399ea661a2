package io.penstock.perf.ffi;

import com.sun.management.ThreadMXBean;
import io.penstock.ffi.load.LibrarySearch;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Our side of the comparison, in a process of its own: takes the arguments of {@code perf/ffi/calls.c} and prints the same
 * lines, with the bytes that all threads together allocated for a call.
 *
 * <p><b>Threading:</b> main thread.
 */
final class CallsChild {
    private static final int MOST_SAMPLES = 1 << 20;
    private static final int WARM_CALLS = 20_000;
    private static final int MOST_WARM_UPS = 6;
    private static final int FEWEST_SAMPLES = 20;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final double[] samples = new double[MOST_SAMPLES];
    private int count;
    private double bytes;

    private CallsChild() {}

    /** As {@code calls.c}: NIXL, its dependencies, store, its dependencies, master, folder, seconds, calls. */
    public static void main(String[] args) {
        List<NativeCalls> libraries = new ArrayList<>();
        if (!args[0].equals("-")) {
            libraries.add(new NixlCalls(search(args[0], args[1]), Path.of(args[5])));
        }
        if (!args[2].equals("-")) {
            libraries.add(new StoreCalls(search(args[2], args[3]), args[4]));
        }
        CallsChild child = new CallsChild();
        for (String item : Arrays.asList(args).subList(7, args.length)) {
            int colon = item.indexOf(':');
            child.measure(
                    item.substring(0, colon),
                    libraries,
                    Integer.parseInt(item.substring(colon + 1)),
                    Double.parseDouble(args[6]));
        }
        libraries.forEach(NativeCalls::close);
    }

    private static LibrarySearch search(String library, String dependencies) {
        List<Path> paths = Arrays.stream(dependencies.split(File.pathSeparator, -1))
                .filter(path -> !path.isEmpty())
                .map(Path::of)
                .toList();
        return new LibrarySearch(Path.of(library), null, paths, null);
    }

    private void measure(String name, List<NativeCalls> libraries, int batch, double seconds) {
        NativeCalls.Call call = null;
        for (NativeCalls library : libraries) {
            call = call == null ? library.find(name) : call;
        }
        if (call == null) {
            throw new IllegalArgumentException("unknown call: " + name);
        }
        long halfNs = (long) (seconds * 1e9 / 2);
        long begun = System.nanoTime();
        long made = 0;
        // On a busy machine half the time is not enough for the compiler.
        do {
            sample(call, batch, System.nanoTime() + halfNs);
            made += (long) count * batch;
        } while (made < WARM_CALLS && System.nanoTime() - begun < MOST_WARM_UPS * halfNs);
        sample(call, batch, System.nanoTime() + halfNs);
        Arrays.sort(samples, 0, count);
        System.out.printf(
                Locale.ROOT,
                "{\"call\":\"%s\",\"p50Ns\":%.1f,\"p99Ns\":%.1f,\"samples\":%d,\"bytes\":%.4f}%n",
                name,
                samples[count / 2],
                samples[count * 99 / 100],
                count,
                bytes);
    }

    private void sample(NativeCalls.Call call, int batch, long end) {
        long before = THREADS.getTotalThreadAllocatedBytes();
        count = 0;
        while (count < MOST_SAMPLES && (count < FEWEST_SAMPLES || System.nanoTime() < end)) {
            long start = System.nanoTime();
            call.make(batch);
            samples[count++] = (double) (System.nanoTime() - start) / batch;
            call.settle(batch);
        }
        bytes = (double) (THREADS.getTotalThreadAllocatedBytes() - before) / ((double) count * batch);
    }
}
