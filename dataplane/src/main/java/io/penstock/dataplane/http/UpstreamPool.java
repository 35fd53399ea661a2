package io.penstock.dataplane.http;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Connections of one event loop to the engines, kept alive between requests.
 *
 * <p>Client and engine connection of a request share the loop, so that nothing is handed between threads and nothing
 * locks. The youngest idle connection is used first; one past the keep-alive time is closed unused.
 *
 * <p><b>Threading:</b> owned by its event loop.
 */
final class UpstreamPool {
    /** Where an engine listens. */
    record Address(String host, int port) {}

    private static final int CHUNK_BYTES = 64 << 10;

    private final EventLoop loop;
    private final Transport transport;
    private final HttpConfig config;
    private final HostAddresses addresses;
    private final Map<Address, ArrayDeque<UpstreamConnection>> idle = new HashMap<>();

    UpstreamPool(EventLoop loop, Transport transport, HttpConfig config, HostAddresses addresses) {
        this.loop = loop;
        this.transport = transport;
        this.config = config;
        this.addresses = addresses;
        long everyMs = Math.max(100, config.upstreamKeepAliveMs() / 4);
        loop.scheduleWithFixedDelay(this::closeOld, everyMs, everyMs, TimeUnit.MILLISECONDS);
    }

    long idleTimeoutNs() {
        return config.upstreamIdleTimeoutMs() * 1_000_000L;
    }

    /** Sends a request over a kept connection, or over a new one where there is none or {@code fresh} is wanted. */
    void send(Address address, FullHttpRequest request, boolean fresh, Answer answer) {
        UpstreamConnection kept = fresh ? null : take(address);
        if (kept != null) {
            answer.sent(kept);
            kept.send(request, answer);
            return;
        }
        addresses.resolve(address.host, loop, found -> {
            if (found == null) {
                request.release();
                answer.broken(Answer.Break.CONNECT);
            } else {
                connect(address, found, request, answer);
            }
        });
    }

    private void connect(Address address, InetAddress found, FullHttpRequest request, Answer answer) {
        UpstreamConnection connection = new UpstreamConnection(this, address);
        ChannelFuture connecting = new Bootstrap()
                .group(loop)
                .channel(transport.channel)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.AUTO_READ, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, config.connectTimeoutMs())
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connection.channel = channel;
                        channel.pipeline().addLast(codec(), connection);
                    }
                })
                .connect(new InetSocketAddress(found, address.port));
        answer.sent(connection);
        connecting.addListener(done -> {
            if (!done.isSuccess()) {
                request.release();
                answer.broken(Answer.Break.CONNECT);
            } else {
                connection.send(request, answer);
            }
        });
    }

    private static HttpClientCodec codec() {
        HttpDecoderConfig decoding = new HttpDecoderConfig()
                .setMaxInitialLineLength(8 << 10)
                .setMaxHeaderSize(64 << 10)
                .setMaxChunkSize(CHUNK_BYTES)
                .setValidateHeaders(true);
        return new HttpClientCodec(decoding, false, false);
    }

    private UpstreamConnection take(Address address) {
        ArrayDeque<UpstreamConnection> kept = idle.get(address);
        while (kept != null && !kept.isEmpty()) {
            UpstreamConnection connection = kept.pollFirst();
            if (connection.channel.isActive() && !old(connection)) {
                return connection;
            }
            connection.channel.close();
        }
        return null;
    }

    /** Takes a connection back after a complete answer. */
    void keep(UpstreamConnection connection) {
        ArrayDeque<UpstreamConnection> kept = idle.computeIfAbsent(connection.address, any -> new ArrayDeque<>());
        if (config.upstreamKeepAliveMs() == 0 || kept.size() >= config.upstreamIdleConnections()) {
            connection.channel.close();
            return;
        }
        connection.idleSinceNs = System.nanoTime();
        connection.channel.config().setAutoRead(true); // so that the engine's close is seen
        kept.addFirst(connection);
    }

    /** A connection has closed. */
    void forget(UpstreamConnection connection) {
        ArrayDeque<UpstreamConnection> kept = idle.get(connection.address);
        if (kept != null && kept.remove(connection) && kept.isEmpty()) {
            idle.remove(connection.address);
        }
    }

    private boolean old(UpstreamConnection connection) {
        return System.nanoTime() - connection.idleSinceNs > config.upstreamKeepAliveMs() * 1_000_000L;
    }

    private void closeOld() {
        // A copy: closing takes an entry out.
        for (ArrayDeque<UpstreamConnection> kept : List.copyOf(idle.values())) {
            while (!kept.isEmpty() && old(kept.peekLast())) {
                kept.pollLast().channel.close();
            }
        }
    }

    /** Closes what is idle. */
    void close() {
        for (ArrayDeque<UpstreamConnection> kept : List.copyOf(idle.values())) {
            for (UpstreamConnection connection : List.copyOf(kept)) {
                connection.channel.close();
            }
        }
        idle.clear();
    }
}
