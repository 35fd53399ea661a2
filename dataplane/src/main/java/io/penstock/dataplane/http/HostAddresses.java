package io.penstock.dataplane.http;

import io.netty.util.NetUtil;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Addresses of engines, looked up off the event loops: the JDK's resolver blocks.
 *
 * <p>Literals need no lookup. A name is asked again after 30 s, while the known address stays in use; so only the first
 * request to a name waits.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class HostAddresses {
    private static final long FRESH_NS = 30_000_000_000L;

    private record Known(InetAddress address, long atNs, AtomicBoolean refreshing) {}

    private final Map<String, Known> known = new ConcurrentHashMap<>();
    private final Executor lookups;

    HostAddresses(Executor lookups) {
        this.lookups = lookups;
    }

    /** Hands the address to {@code use} on {@code loop}, at once where it is known; null if there is none. */
    void resolve(String host, EventExecutor loop, Consumer<InetAddress> use) {
        Known entry = known.get(host);
        if (entry == null) {
            byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
            if (literal == null) {
                look(host, address -> loop.execute(() -> use.accept(address)));
                return;
            }
            entry = literal(host, literal);
        } else if (stale(entry) && entry.refreshing.compareAndSet(false, true)) {
            look(host, ignored -> {});
        }
        use.accept(entry.address);
    }

    private Known literal(String host, byte[] bytes) {
        try {
            Known entry = new Known(InetAddress.getByAddress(bytes), Long.MAX_VALUE, new AtomicBoolean(true));
            known.put(host, entry);
            return entry;
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("neither 4 nor 16 bytes: host=" + host, impossible);
        }
    }

    private static boolean stale(Known entry) {
        return entry.atNs != Long.MAX_VALUE && System.nanoTime() - entry.atNs > FRESH_NS;
    }

    private void look(String host, Consumer<InetAddress> use) {
        try {
            lookups.execute(() -> use.accept(lookUp(host)));
        } catch (RejectedExecutionException full) {
            use.accept(null);
        }
    }

    private InetAddress lookUp(String host) {
        try {
            InetAddress address = InetAddress.getByName(host);
            known.put(host, new Known(address, System.nanoTime(), new AtomicBoolean()));
            return address;
        } catch (UnknownHostException unknown) {
            Known old = known.get(host);
            if (old == null) {
                return null;
            }
            known.put(host, new Known(old.address, System.nanoTime(), new AtomicBoolean()));
            return old.address;
        }
    }
}
