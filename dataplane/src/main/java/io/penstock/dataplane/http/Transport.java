package io.penstock.dataplane.http;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/**
 * The socket implementation: epoll where its native part loads, else NIO.
 *
 * <p><b>Threading:</b> immutable.
 */
public enum Transport {
    /** Linux epoll through Netty's native library: about a third less CPU per request than NIO. */
    EPOLL(EpollServerSocketChannel.class, EpollSocketChannel.class),
    /** The JDK's selectors, everywhere. */
    NIO(NioServerSocketChannel.class, NioSocketChannel.class);

    final Class<? extends ServerSocketChannel> serverChannel;
    final Class<? extends SocketChannel> channel;

    Transport(Class<? extends ServerSocketChannel> serverChannel, Class<? extends SocketChannel> channel) {
        this.serverChannel = serverChannel;
        this.channel = channel;
    }

    /** The best that this machine has. */
    public static Transport best() {
        return Epoll.isAvailable() ? EPOLL : NIO;
    }

    /** Event loops of this transport on daemon threads {@code name-1}, {@code name-2}, and so on. */
    EventLoopGroup eventLoops(int threads, String name) {
        return new MultiThreadIoEventLoopGroup(
                threads,
                new DefaultThreadFactory(name, true),
                this == EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }
}
