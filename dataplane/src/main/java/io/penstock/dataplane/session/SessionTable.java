package io.penstock.dataplane.session;

import io.penstock.bindings.harness.AgentContext;
import io.penstock.bindings.harness.IdentitySource;
import io.penstock.dataplane.journal.TraceRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * The sessions of late, bounded: beyond {@link SessionConfig#capacity} the one idle longest is forgotten and counted, and
 * after {@link SessionConfig#ttlSeconds} without a word each of them.
 *
 * <p>Lineage is what the requests say of it: a parent may be unknown here, and a client may claim a circle, in which the
 * tree ends where it comes back to itself.
 *
 * <p><b>Threading:</b> thread-safe; one lock, held for a record, or for as long as a list is made.
 */
public final class SessionTable {
    /** Sessions that one list shows at most, and one tree. */
    public static final int MOST_SHOWN = 10_000;

    /** Longest name of a session that is remembered, and of a parent or group: no harness's is half as long. */
    public static final int MOST_NAME_CHARS = 256;

    private final SessionConfig config;
    // In the order of the last word, put in anew with each: the eldest is the one idle longest.
    private final LinkedHashMap<String, Session> sessions = new LinkedHashMap<>();
    private final Map<String, Set<String>> children = new HashMap<>();
    private final LongAdder started = new LongAdder();
    private final LongAdder expired = new LongAdder();
    private final LongAdder evicted = new LongAdder();
    private final LongAdder tooLong = new LongAdder();
    private final LongAdder finals = new LongAdder();
    private final AtomicLongArray bySource = new AtomicLongArray(IdentitySource.values().length);

    /** An empty table. */
    public SessionTable(SessionConfig config) {
        this.config = config;
    }

    /** Takes what a record says of its session; requests without one are only counted. */
    public void take(TraceRecord record) {
        AgentContext agent = record.agent;
        if (record.kind == TraceRecord.Kind.REQUEST_END) {
            bySource.incrementAndGet(agent.source().ordinal());
        }
        if (!agent.hasSession()) {
            return;
        }
        if (agent.session().length() > MOST_NAME_CHARS) {
            tooLong.increment();
            return;
        }
        if (Boolean.TRUE.equals(agent.sessionFinal())) {
            finals.increment();
        }
        synchronized (sessions) {
            expire(record.epochMs);
            Session session = sessions.remove(agent.session());
            if (session == null) {
                session = new Session(agent.session(), record.epochMs);
                started.increment();
            }
            sessions.put(session.id, session);
            session.seen(record.epochMs);
            session.named(agent);
            session.take(record);
            adopt(session, name(agent.parent()));
            while (sessions.size() > config.capacity()) {
                forgetEldest();
                evicted.increment();
            }
        }
    }

    /** The name, or null where it is too long to be remembered. */
    static String name(String name) {
        return name == null || name.length() > MOST_NAME_CHARS ? null : name;
    }

    /** A session keeps its parent until a record names another one. */
    private void adopt(Session session, String parent) {
        if (parent == null || parent.equals(session.parent)) {
            return;
        }
        leaveParent(session);
        session.parent = parent;
        children.computeIfAbsent(parent, name -> new LinkedHashSet<>(2)).add(session.id);
    }

    private void leaveParent(Session session) {
        Set<String> siblings = session.parent == null ? null : children.get(session.parent);
        if (siblings != null && siblings.remove(session.id) && siblings.isEmpty()) {
            children.remove(session.parent);
        }
    }

    private void forgetEldest() {
        Iterator<Session> eldest = sessions.values().iterator();
        Session session = eldest.next();
        eldest.remove();
        leaveParent(session);
    }

    private void expire(long nowMs) {
        long oldest = nowMs - config.ttlSeconds() * 1_000L;
        while (!sessions.isEmpty() && sessions.values().iterator().next().lastSeenMs() < oldest) {
            forgetEldest();
            expired.increment();
        }
    }

    /**
     * The sessions, last seen first; becomes JSON.
     *
     * @param nowMs wall clock, ms since 1970: who has been idle too long by then is forgotten first
     * @param limit most of them, up to {@link #MOST_SHOWN}
     * @param group only those of this group, null for all
     * @param roots only those without a parent
     */
    public List<Map<String, Object>> list(long nowMs, int limit, String group, boolean roots) {
        synchronized (sessions) {
            expire(nowMs);
            List<Map<String, Object>> out = new ArrayList<>();
            int most = Math.min(limit, MOST_SHOWN);
            for (Session session : sessions.sequencedValues().reversed()) {
                if (out.size() >= most) {
                    break;
                }
                if ((group == null || group.equals(session.group())) && !(roots && session.parent != null)) {
                    Map<String, Object> shown = session.shown(nowMs);
                    shown.put("children", childrenOf(session.id).size());
                    out.add(shown);
                }
            }
            return out;
        }
    }

    /** A session with its children below it, as deep as they go, and what all of them add up to; null if it is not known. */
    public Map<String, Object> tree(long nowMs, String id) {
        synchronized (sessions) {
            expire(nowMs);
            Session session = sessions.get(id);
            return session == null ? null : new SessionTree(nowMs, sessions::get, this::childrenOf).of(session);
        }
    }

    private Collection<String> childrenOf(String id) {
        return children.getOrDefault(id, Set.of());
    }

    /** Sessions known. */
    public int size() {
        synchronized (sessions) {
            return sessions.size();
        }
    }

    /** Sessions ever seen, one counted again when it comes back after it was forgotten. */
    public long started() {
        return started.sum();
    }

    /** Sessions forgotten because they were idle too long. */
    public long expired() {
        return expired.sum();
    }

    /** Sessions forgotten because there were too many. */
    public long evicted() {
        return evicted.sum();
    }

    /** Records of sessions whose names are too long to be remembered. */
    public long tooLong() {
        return tooLong.sum();
    }

    /** Records that bore the marker of a session's end. */
    public long finals() {
        return finals.sum();
    }

    /** Requests that ended, by where their agent's name was found. */
    public long requests(IdentitySource source) {
        return bySource.get(source.ordinal());
    }
}
