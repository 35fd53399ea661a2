package io.penstock.dataplane.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import java.net.InetSocketAddress;

/**
 * A listening socket and the connections it takes.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class HttpServer implements AutoCloseable {
    private static final int BACKLOG = 1_024;
    private static final int CHUNK_BYTES = 64 << 10;

    private final Site site;
    private final Channel listener;

    /**
     * Listens.
     *
     * @throws IllegalArgumentException if the address cannot be had
     */
    HttpServer(Site site, String host, int port, Transport transport, EventLoopGroup loops) {
        this.site = site;
        ChannelFuture binding = new ServerBootstrap()
                .group(loops)
                .channel(transport.serverChannel)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new HttpServerCodec(decoding()), new ClientConnection(site));
                    }
                })
                .bind(new InetSocketAddress(host, port));
        binding.awaitUninterruptibly();
        if (!binding.isSuccess()) {
            throw new IllegalArgumentException(
                    "cannot listen (" + binding.cause().getMessage() + "): address=" + host + ":" + port);
        }
        listener = binding.channel();
    }

    private static HttpDecoderConfig decoding() {
        return new HttpDecoderConfig()
                .setMaxInitialLineLength(8 << 10)
                .setMaxHeaderSize(64 << 10)
                .setMaxChunkSize(CHUNK_BYTES);
    }

    /** Port in effect. */
    int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** Connections open. */
    int connections() {
        return site.connections();
    }

    /** Takes no new connection; the open ones end with the answer in flight. */
    void stop() {
        listener.close().awaitUninterruptibly();
        site.stop();
    }

    @Override
    public void close() {
        stop();
    }
}
