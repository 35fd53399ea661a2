package io.penstock.dataplane.ingest;

import io.penstock.bindings.zmq.ZmqMessage;
import io.penstock.bindings.zmq.ZmqPoll;
import io.penstock.bindings.zmq.ZmqSocket;
import io.penstock.bindings.zmq.ZmqTransport;
import io.penstock.dataplane.pipeline.EventPort;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * One thread that reads, decodes and hands over the events of its share of the engines.
 *
 * <p><b>Threading:</b> the loop runs on its own thread; {@link #execute} by any thread.
 */
final class EventReader implements Runnable {
    private static final int IDLE_WAIT_MS = 10;
    private static final int STALLED_WAIT_MS = 1;
    private static final long TICK_MS = 10;

    private final ZmqTransport transport;
    private final EventPort port;
    private final IngestConfig config;
    private final EventDecoder decoder;
    private final ZmqMessage incoming;
    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final List<Feed> feeds = new ArrayList<>();
    private final List<ZmqSocket> interests = new ArrayList<>();
    private int[] pollIndexes = new int[64];
    private boolean changed = true;
    private long lastTickMs;
    private volatile boolean closed;

    EventReader(ZmqTransport transport, EventPort port, IngestConfig config) {
        this.transport = transport;
        this.port = port;
        this.config = config;
        this.decoder = new EventDecoder(config.saltedBlocks());
        this.incoming = new ZmqMessage(config.maxBatchBytes());
    }

    /** Has the loop run something between two turns. */
    void execute(Runnable command) {
        commands.add(command);
    }

    /** Makes a feed; in the loop only. */
    Feed open(FeedTarget target) {
        Feed feed = new Feed(target, config, transport, port, decoder, incoming);
        feeds.add(feed);
        interests.add(null);
        changed = true;
        return feed;
    }

    /** Ends a feed; in the loop only. */
    void close(Feed feed) {
        int at = feeds.indexOf(feed);
        if (at >= 0) {
            feeds.remove(at);
            interests.remove(at);
            feed.close();
            changed = true;
        }
    }

    /** Ends the loop after its current turn. */
    void stop() {
        closed = true;
    }

    @Override
    public void run() {
        try (ZmqPoll poll = transport.poll()) {
            while (!closed) {
                turn(poll);
            }
            for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
                command.run();
            }
            feeds.forEach(Feed::close);
        }
    }

    private void turn(ZmqPoll poll) {
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
        }
        boolean stalled = refreshInterests();
        if (changed) {
            rebuild(poll);
        }
        boolean ready = poll.await(stalled ? STALLED_WAIT_MS : IDLE_WAIT_MS);
        long nowMs = System.currentTimeMillis();
        boolean tick = nowMs - lastTickMs >= TICK_MS || nowMs < lastTickMs;
        lastTickMs = tick ? nowMs : lastTickMs;
        for (int i = 0; i < feeds.size(); i++) {
            Feed feed = feeds.get(i);
            boolean readable = ready && pollIndexes[i] >= 0 && poll.ready(pollIndexes[i]);
            try {
                if (tick) {
                    feed.tick(nowMs);
                }
                if (readable || feed.stalled()) {
                    feed.read(nowMs);
                }
            } catch (RuntimeException failed) {
                // One feed's failure must not silence the others of this thread.
                feed.fail(failed, nowMs);
            }
        }
    }

    /** Notes which sockets are waited for now; answers whether a feed waits for the pipeline. */
    private boolean refreshInterests() {
        boolean stalled = false;
        for (int i = 0; i < feeds.size(); i++) {
            ZmqSocket interest = feeds.get(i).interest();
            changed |= interest != interests.set(i, interest);
            stalled |= feeds.get(i).stalled();
        }
        return stalled;
    }

    private void rebuild(ZmqPoll poll) {
        if (pollIndexes.length < feeds.size()) {
            pollIndexes = new int[2 * feeds.size()];
        }
        poll.clear();
        int next = 0;
        for (int i = 0; i < feeds.size(); i++) {
            ZmqSocket interest = interests.get(i);
            pollIndexes[i] = interest == null ? -1 : next++;
            if (interest != null) {
                poll.add(interest);
            }
        }
        changed = false;
    }
}
