package io.penstock.dataplane.engine;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The faults that an engine has been told to make. All are off at the start.
 *
 * <p><b>Threading:</b> thread-safe.
 */
public final class Faults {
    private final Runnable death;
    private final AtomicInteger failNext = new AtomicInteger();
    private final AtomicLong dieAfterTokens = new AtomicLong(-1);
    private volatile int failStatus = 500;
    private volatile long delayMs;
    private volatile boolean refuse;
    private volatile boolean dead;

    Faults(Runnable death) {
        this.death = death;
    }

    /** Holds each request back for so long before the scheduler sees it. */
    public void delayMs(long millis) {
        delayMs = millis;
    }

    /** Answers the next requests with a status of 400 or more. */
    public void failNext(int requests, int status) {
        failStatus = status;
        failNext.set(requests);
    }

    /** Closes the connection of each request without an answer. */
    public void refuse(boolean on) {
        refuse = on;
    }

    /**
     * Dies, in the middle of whatever is under way, once so many more output tokens have been produced; negative =
     * never.
     */
    public void dieAfterTokens(long tokens) {
        dieAfterTokens.set(tokens);
    }

    long delayMs() {
        return delayMs;
    }

    boolean refuse() {
        return refuse;
    }

    int failStatus() {
        return failStatus;
    }

    boolean takeFailure() {
        return failNext.get() > 0 && failNext.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    }

    /** Counts an output token; true for the one that brings death. */
    boolean countToken() {
        return dieAfterTokens.get() > 0 && dieAfterTokens.decrementAndGet() == 0;
    }

    void die() {
        dead = true;
        death.run();
    }

    /** Whether it has died: nothing more goes out, even where closing takes a while. */
    boolean dead() {
        return dead;
    }

    /** Takes over what a {@code /sim/fault} body names. */
    void apply(JsonNode body) throws RefusedException {
        if (!body.isObject()) {
            throw RefusedException.bad("faults are a JSON object", null);
        }
        if (body.has("delayMs")) {
            delayMs(number(body, "delayMs"));
        }
        if (body.has("failNext")) {
            failNext((int) number(body, "failNext"), body.path("failStatus").asInt(500));
        }
        if (body.has("dieAfterTokens")) {
            dieAfterTokens(body.get("dieAfterTokens").asLong());
        }
        if (body.has("refuse")) {
            refuse(body.get("refuse").asBoolean());
        }
    }

    static long number(JsonNode body, String name) throws RefusedException {
        JsonNode value = body.path(name);
        if (!value.isIntegralNumber() || value.asLong() < 0) {
            throw RefusedException.bad(name + " must be a non-negative integer", name);
        }
        return value.asLong();
    }
}
