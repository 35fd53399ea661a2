package io.penstock.dataplane.demo;

import io.penstock.dataplane.demo.Exchange.End;
import io.penstock.dataplane.trace.AgentSession;
import io.penstock.dataplane.trace.ReplayPlan;
import io.penstock.dataplane.trace.Turn;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Sends a plan's sessions to one server: closed loop within a session (the next turn follows the answer, the pause and
 * the sub-agents), open loop or a fixed number of sessions across them.
 *
 * <p>When the time is up no turn begins; those in flight get a grace and are then cut.
 *
 * <p><b>Threading:</b> one thread calls {@link #run}; a virtual thread a session.
 */
final class Replay {
    private static final long GRACE_MS = 4_000;
    private static final int MOST_INTERRUPTIONS = 20;

    private final ReplayPlan plan;
    private final ReplayStats stats = new ReplayStats();
    private final CountDownLatch timeIsUp = new CountDownLatch(1);
    private final TurnClient client;
    private final ToolReports tools;
    private volatile boolean cutting;

    /** {@code tools} hears what tools do; null where nobody wants to know. */
    Replay(ReplayPlan plan, URI server, String model, RetryPolicy retry, ToolReports tools) {
        this.plan = plan;
        this.tools = tools;
        TurnWire wire = plan.openLoop() ? new CompletionWire() : new MessagesWire();
        client = new TurnClient(wire, server, model, retry, () -> cutting);
    }

    /** What the clients have seen so far. */
    ReplayStats stats() {
        return stats;
    }

    /** Sends everything, or as much as the time holds. */
    void run(long windowMs) throws InterruptedException {
        Semaphore lanes = new Semaphore(plan.lanes() > 0 ? plan.lanes() : Integer.MAX_VALUE);
        long startNs = System.nanoTime();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        try {
            List<Future<?>> sessions = new ArrayList<>();
            for (AgentSession session : plan.sessions()) {
                sessions.add(threads.submit(() -> inLane(session, lanes, startNs)));
            }
            threads.shutdown();
            if (!threads.awaitTermination(windowMs, TimeUnit.MILLISECONDS)) {
                timeIsUp.countDown();
                threads.awaitTermination(GRACE_MS, TimeUnit.MILLISECONDS);
            }
            cutting = true;
            threads.shutdownNow();
            threads.awaitTermination(GRACE_MS, TimeUnit.MILLISECONDS);
            rethrow(sessions);
        } finally {
            cutting = true;
            timeIsUp.countDown();
            threads.shutdownNow();
            client.close();
        }
    }

    private static void rethrow(List<Future<?>> sessions) {
        for (Future<?> session : sessions) {
            if (session.isDone() && session.state() == Future.State.FAILED) {
                throw new IllegalStateException("a session ended by a defect of the client", session.exceptionNow());
            }
        }
    }

    private void inLane(AgentSession session, Semaphore lanes, long startNs) {
        try {
            long dueMs = (long) session.startMs() - (System.nanoTime() - startNs) / 1_000_000;
            if (!pause(dueMs)) {
                return;
            }
            lanes.acquire();
            try {
                agent(session, session.id());
            } finally {
                lanes.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void agent(AgentSession session, String root) throws InterruptedException {
        stats.sessionStarted();
        try {
            AgentIdentity me = new AgentIdentity(root, session.id(), session.parentId(), session.type());
            int last = session.turns().size() - 1;
            PendingCall called = null;
            for (int i = 0; i <= last; i++) {
                Turn turn = session.turns().get(i);
                if (!pause((long) turn.gapMs())) {
                    return;
                }
                ToolResult result = called == null ? null : called.ended(me, tools);
                Exchange exchange = ask(new TurnCall(me, turn, i == last, result));
                if (exchange.end() != End.ANSWERED) {
                    return;
                }
                called = exchange.toolCallId() == null
                        ? null
                        : PendingCall.began(me, exchange.toolCallId(), turn.tool(), tools);
                children(turn.children(), root);
            }
        } finally {
            stats.sessionEnded();
        }
    }

    /** An agent whose answer broke off asks again, as harnesses do; each break is counted. */
    private Exchange ask(TurnCall call) {
        Exchange exchange = client.send(call);
        stats.record(exchange);
        for (int i = 1; exchange.end() == End.INTERRUPTED; i++) {
            exchange = client.send(call);
            if (exchange.end() == End.INTERRUPTED && i == MOST_INTERRUPTIONS) {
                exchange = new Exchange(
                        End.FAILED,
                        exchange.ttftNs(),
                        -1,
                        0,
                        0,
                        0,
                        null,
                        "broke off again and again: " + exchange.cause());
            }
            stats.record(exchange);
        }
        return exchange;
    }

    private void children(List<AgentSession> children, String root) throws InterruptedException {
        if (children.isEmpty()) {
            return;
        }
        List<Thread> started = new ArrayList<>();
        try {
            for (AgentSession child : children) {
                started.add(Thread.ofVirtual().start(() -> child(child, root)));
            }
            for (Thread thread : started) {
                thread.join();
            }
        } finally {
            started.forEach(Thread::interrupt);
        }
    }

    private void child(AgentSession child, String root) {
        try {
            if (pause((long) child.startMs())) {
                agent(child, root);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits; false once the time is up. */
    private boolean pause(long ms) throws InterruptedException {
        return !timeIsUp.await(Math.max(0, ms), TimeUnit.MILLISECONDS);
    }
}
