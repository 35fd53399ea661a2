package io.penstock.dataplane.ingest;

import io.penstock.bindings.zmq.ZmqTransport;
import io.penstock.dataplane.pipeline.EventPort;
import io.penstock.dataplane.workers.RankFeed;
import io.penstock.dataplane.workers.WorkerSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads the KV events of all engines into the pipeline: a few threads for many sockets, one {@link Feed} a rank.
 *
 * <p>An engine that proves to be the one known (an identical batch at the last position) is reported
 * {@link EventPort#proven}; any other {@link EventPort#cold}, and then told from its start. What the pipeline refuses
 * waits in the engine's socket.
 *
 * <p><b>Threading:</b> thread-safe. Events of one slot are offered by one thread.
 */
public final class EventIngest implements AutoCloseable {
    private static final long ANSWER_SECONDS = 30;

    private final ZmqTransport transport;
    private final EventReader[] readers;
    private final Thread[] threads;
    private final int[] load;
    private final Map<String, Place> places = new ConcurrentHashMap<>();

    private record Place(int reader, List<Feed> feeds) {}

    /**
     * Starts the readers.
     *
     * @throws IllegalArgumentException if the transport is not there
     */
    public EventIngest(IngestConfig config, EventPort port) {
        transport = ZmqTransport.open(config.transport());
        readers = new EventReader[config.readers()];
        threads = new Thread[config.readers()];
        load = new int[config.readers()];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = new EventReader(transport, port, config);
            threads[i] = Thread.ofPlatform().name("events-" + i).daemon(true).start(readers[i]);
        }
    }

    /** Name of the transport in use. */
    public String transport() {
        return transport.name();
    }

    /**
     * Begins to read a worker's events.
     *
     * @param spec the worker, with block size and ranks known
     * @param ranks where each rank publishes; no replay endpoint means that nothing can be proven
     * @param slotsByRank slot of each rank
     * @param positionsByRank last batch that the index has of each rank; {@link KnownPosition#NONE} if none
     * @throws IllegalArgumentException if an endpoint is missing, the engine is unknown, or the worker is read already
     */
    public synchronized void add(
            WorkerSpec spec, List<RankFeed> ranks, int[] slotsByRank, KnownPosition[] positionsByRank) {
        if (new EventDecoder(1).cursor(spec.engine()) == null) {
            throw new IllegalArgumentException("events of this engine are not known: engine=" + spec.engine());
        }
        if (places.containsKey(spec.name())) {
            throw new IllegalArgumentException("its events are read already: worker=" + spec.name());
        }
        List<FeedTarget> targets = new ArrayList<>();
        for (int rank = 0; rank < slotsByRank.length; rank++) {
            targets.add(FeedTarget.of(spec, ranks.get(rank), rank, slotsByRank[rank], positionsByRank[rank]));
        }
        int reader = leastLoaded();
        load[reader] += targets.size();
        List<Feed> feeds =
                answer(reader, () -> targets.stream().map(readers[reader]::open).toList());
        places.put(spec.name(), new Place(reader, feeds));
    }

    /**
     * Ends the reading of a worker's events: after the return nothing more of it is offered.
     *
     * @return whether it was read
     */
    public synchronized boolean remove(String worker) {
        Place place = places.remove(worker);
        if (place == null) {
            return false;
        }
        load[place.reader] -= place.feeds.size();
        answer(place.reader, () -> {
            place.feeds.forEach(readers[place.reader]::close);
            return null;
        });
        return true;
    }

    /**
     * Asks for everything that the slot's engine still has, because the index met parents that it does not know. Done
     * only if the engine's replay reaches back to its start, and not more often than configured.
     */
    public void requestReplay(int slot) {
        for (Place place : places.values()) {
            for (Feed feed : place.feeds) {
                if (feed.target.slot() == slot) {
                    feed.askRebuild();
                }
            }
        }
    }

    /** All feeds as of now. */
    public List<FeedStatus> status() {
        List<FeedStatus> all = new ArrayList<>();
        for (Place place : places.values()) {
            for (Feed feed : place.feeds) {
                all.add(feed.status());
            }
        }
        return all;
    }

    private int leastLoaded() {
        int least = 0;
        for (int i = 1; i < load.length; i++) {
            least = load[i] < load[least] ? i : least;
        }
        return least;
    }

    private <T> T answer(int reader, java.util.function.Supplier<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        readers[reader].execute(() -> {
            try {
                answer.complete(work.get());
            } catch (RuntimeException failed) {
                answer.completeExceptionally(failed);
            }
        });
        try {
            return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while an event reader was asked", e);
        } catch (java.util.concurrent.ExecutionException | TimeoutException e) {
            throw new IllegalStateException("an event reader does not answer: reader=" + reader, e);
        }
    }

    /** Ends all readers and closes their sockets. */
    @Override
    public synchronized void close() {
        for (EventReader reader : readers) {
            reader.stop();
        }
        boolean interrupted = false;
        for (Thread thread : threads) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(ANSWER_SECONDS));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        places.clear();
        transport.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
