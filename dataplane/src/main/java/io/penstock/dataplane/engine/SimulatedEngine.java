package io.penstock.dataplane.engine;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.ZContext;

/**
 * A simulated engine on real sockets: HTTP server, event and replay sockets, one scheduler thread for each rank.
 *
 * <p>Answers as vLLM 0.32 does; what it has instead of a model is a timing formula ({@link PassTiming}). Use it in a
 * process of its own
 * ({@code penstock engine}) or within a test: {@code try (SimulatedEngine e =
 * SimulatedEngine.start(EngineConfig.defaults())) { … e.url() … }}.
 *
 * <p><b>Threading:</b> thread-safe.
 */
public final class SimulatedEngine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SimulatedEngine.class);

    private final EngineConfig config;
    private final EventLoopGroup loops;
    private final ZContext zmq;
    private final List<EngineRank> ranks = new ArrayList<>();
    private final ReplayServer replay;
    private final EngineState state;
    private final Faults faults;
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Channel server;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    private SimulatedEngine(EngineConfig config, Runnable death) {
        this.config = config;
        this.faults = new Faults(death == null ? this::killFromWithin : death);
        this.zmq = config.events().enabled() ? new ZContext(1) : null;
        if (zmq != null) {
            // JeroMQ tells of listeners that end behind their socket; while closing that is of no interest.
            zmq.setNotificationExceptionHandler((thread, failure) -> {
                if (closing.get()) {
                    LOG.debug("event sockets: {} while closing", failure.toString());
                } else {
                    LOG.warn("event sockets: {}", failure.toString());
                }
            });
        }
        boolean epoll = Epoll.isAvailable();
        this.loops = new MultiThreadIoEventLoopGroup(
                config.ioThreads(), epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        ReplayServer replayServer = null;
        try {
            List<ReplayBuffer> buffers = new ArrayList<>();
            for (int r = 0; r < config.dpSize(); r++) {
                ReplayBuffer buffer = new ReplayBuffer(
                        config.events().bufferSteps(), config.events().bufferBytes());
                buffers.add(buffer);
                ranks.add(new EngineRank(config, r, zmq == null ? null : new KvPublisher(zmq, config, r, buffer)));
            }
            replayServer = zmq == null ? null : new ReplayServer(zmq, config, buffers);
            this.replay = replayServer;
            this.state = new EngineState(config, List.copyOf(ranks), replay, faults);
            this.server = bind(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class);
        } catch (RuntimeException e) {
            ranks.forEach(EngineRank::close);
            if (replayServer != null) {
                replayServer.close();
            }
            if (zmq != null) {
                zmq.close();
            }
            loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw e;
        }
    }

    /** Starts an engine; told to die, it closes everything it has, at once, as a killed process would. */
    public static SimulatedEngine start(EngineConfig config) {
        return new SimulatedEngine(config, null);
    }

    /** Starts an engine that runs {@code death} when a fault tells it to die. */
    public static SimulatedEngine start(EngineConfig config, Runnable death) {
        return new SimulatedEngine(config, death);
    }

    private Channel bind(Class<? extends ServerChannel> type) {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(type)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOCATOR, new AdaptiveByteBufAllocator())
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        connections.add(channel);
                        channel.pipeline()
                                .addLast(new HttpServerCodec())
                                .addLast(new HttpObjectAggregator(config.maxBodyBytes()))
                                .addLast(new EngineHandler(SimulatedEngine.this, state));
                    }
                });
        try {
            return bootstrap
                    .bind(config.host(), config.port())
                    .syncUninterruptibly()
                    .channel();
        } catch (Exception e) {
            throw new IllegalArgumentException(
                    "cannot bind the HTTP server: port=" + config.port() + " (" + e.getMessage() + ")", e);
        }
    }

    /** Port of the HTTP server. */
    public int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    /** Base URL of the HTTP server. */
    public String url() {
        return "http://" + ("0.0.0.0".equals(config.host()) ? "127.0.0.1" : config.host()) + ":" + port();
    }

    /** Endpoint of a rank's event socket; null where events are off. */
    public String kvEndpoint(int rank) {
        return zmq == null ? null : ranks.get(rank).publisher().endpoint();
    }

    /** Endpoint of a rank's replay socket; null where events are off. */
    public String replayEndpoint(int rank) {
        return zmq == null ? null : replay.endpoint(rank);
    }

    /**
     * The configuration with the ports that it really has, so that another engine can take its place after {@link
     * #kill}. With several
     * ranks on ports chosen by the system the event ports stay 0.
     */
    public EngineConfig resolvedConfig() {
        EngineConfig resolved = config.withPort(port());
        if (zmq == null || config.dpSize() > 1) {
            return resolved;
        }
        EngineConfig.Events e = config.events();
        return resolved.withEvents(new EngineConfig.Events(
                e.enabled(),
                portOf(kvEndpoint(0)),
                portOf(replayEndpoint(0)),
                e.topic(),
                e.bufferSteps(),
                e.bufferBytes(),
                e.intHashes()));
    }

    private static int portOf(String endpoint) {
        return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }

    /** The faults that it can be told to make. */
    public Faults faults() {
        return faults;
    }

    /** Keeps the next batches of a rank off the wire; its replay still has them. */
    public void dropEvents(int rank, int batches) {
        ranks.get(rank).publisher().dropNext(batches);
    }

    /** Loses the next batches of a rank, replay included. */
    public void loseEvents(int rank, int batches) {
        ranks.get(rank).publisher().loseNext(batches);
    }

    /** Sequence number of a rank's next batch. */
    public long nextSeq(int rank) {
        return ranks.get(rank).publisher().nextSeq();
    }

    /** Blocks that running requests of a rank hold. */
    public int usedBlocks(int rank) {
        return ranks.get(rank).stats().usedBlocks();
    }

    /** Requests of a rank that run or wait. */
    public int activeRequests(int rank) {
        return ranks.get(rank).stats().running() + ranks.get(rank).stats().waiting();
    }

    /** Forgets the cache of all ranks; false if a request held blocks of one. */
    public CompletableFuture<Boolean> resetPrefixCache() {
        CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
        for (EngineRank rank : ranks) {
            all = all.thenCombine(rank.resetPrefixCache(), Boolean::logicalAnd);
        }
        return all;
    }

    /**
     * A new life in the same process: requests under way lose their connection, caches are empty, events count from 0.
     * Answers its number, from 1.
     */
    public CompletableFuture<Integer> restart() {
        CompletableFuture<?>[] all = ranks.stream().map(EngineRank::restart).toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(all).thenApply(done -> state.incarnation.incrementAndGet());
    }

    /** Ends at once, as a killed process does: connections are cut in the middle of what they were sending. */
    public void kill() {
        close();
    }

    private void killFromWithin() {
        // The loop that brings the news must not wait for itself.
        Thread.ofPlatform().daemon().name("engine-death").start(this::kill);
    }

    /** Closes sockets and threads, and waits for them; a second call waits for the first. */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return;
        }
        server.close().syncUninterruptibly();
        connections.close().awaitUninterruptibly();
        ranks.forEach(EngineRank::close);
        if (replay != null) {
            replay.close();
        }
        if (zmq != null) {
            zmq.close();
        }
        loops.shutdownGracefully(0, 100, TimeUnit.MILLISECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
        closed.countDown();
    }
}
