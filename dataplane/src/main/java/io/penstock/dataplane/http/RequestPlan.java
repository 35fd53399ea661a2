package io.penstock.dataplane.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.penstock.bindings.harness.AgentContext;
import io.penstock.bindings.openai.ApiKind;
import io.penstock.bindings.openai.BodyEdits;
import io.penstock.bindings.openai.RequestScan;
import io.penstock.bindings.openai.Splice;
import io.penstock.bindings.openai.UsageSplice;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.tokens.PromptInput;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.openhft.hashing.LongHashFunction;

/**
 * What a request's headers and body mean for its placement, and the body as the engine gets it.
 *
 * <p><b>Threading:</b> read by one thread (event loop or preparation), handed on through a queue.
 */
final class RequestPlan {
    private static final LongHashFunction SESSION_HASH = LongHashFunction.xx3();
    /** Bytes of text that make about one token; only for what is placed by load. */
    private static final int BYTES_PER_TOKEN = 4;

    private final Front front;
    private final ApiKind kind;
    private final HttpHeaders headers;
    private final RouteRequest route;
    private final RequestTrace trace;
    private RequestBody received;
    private final long startedNs = System.nanoTime();

    private byte[] body;
    private int bodyLength;
    private PromptInput prompt;
    private String model;
    private String detail;
    private boolean usageAsked;
    private boolean sessionGiven;
    private boolean takesHint;

    RequestPlan(
            Front front, ApiKind kind, HttpRequest head, RequestBody received, RouteRequest route, RequestTrace trace) {
        this.front = front;
        this.kind = kind;
        this.headers = head.headers();
        this.route = route;
        this.trace = trace;
        this.received = received;
        this.body = received.bytes();
        this.bodyLength = received.length();
    }

    /** Reads everything but the prompt; answers why that cannot be done, or null. */
    Refusal read() {
        RequestScan scan = RequestScan.scan(kind, body, 0, bodyLength);
        if (!scan.ok()) {
            detail = "The request body cannot be read: " + scan.error;
            return Refusal.BAD_JSON;
        }
        model = scan.model;
        AgentContext agent = trace.read(scan);
        FleetNames.Target target = front.names().resolve(model);
        if (target == null) {
            detail = model;
            return model == null ? Refusal.MODEL_MISSING : Refusal.UNKNOWN_MODEL;
        }
        Refusal refusal = RoutingHeaders.read(headers, front.names(), route);
        if (refusal != null) {
            return refusal;
        }
        route.model = target.model();
        route.adapter = target.adapter();
        route.expectedOutputTokens = scan.maxOutputTokens;
        route.promptTokens = bodyLength / BYTES_PER_TOKEN;
        session(agent);
        sessionGiven = scan.sessionId != null;
        edit(scan, target);
        return null;
    }

    private void session(AgentContext agent) {
        route.agent = agent;
        route.session = agent.session();
        route.sessionKey = key(agent.session());
        route.parentKey = key(agent.parent());
    }

    private static long key(String name) {
        if (name == null) {
            return 0;
        }
        long hash = SESSION_HASH.hashBytes(name.getBytes(StandardCharsets.UTF_8));
        return hash == 0 ? 1 : hash;
    }

    private void edit(RequestScan scan, FleetNames.Target target) {
        String salt = scan.cacheSalt;
        BodyEdits edits = new BodyEdits(scan);
        usageAsked = UsageSplice.isNeeded(scan);
        edits.askForUsage();
        if (front.hints().ours()) {
            edits.dropHints();
        }
        takesHint = !scan.hasTransferParams && (kind == ApiKind.CHAT || kind == ApiKind.COMPLETIONS);
        String tenant = front.config().tenantSalt() && salt == null ? tenant() : null;
        if (tenant != null) {
            salt = tenant;
            edits.addText("cache_salt", tenant);
        }
        if (kind.generates()) {
            prompt = new PromptInput(
                    kind,
                    body,
                    0,
                    bodyLength,
                    target.name(),
                    target.adapterName(),
                    salt,
                    route.sessionKey,
                    target.blockSizes(),
                    scan.promptTokens,
                    scan.hasMedia || scan.hasExtraKey);
        }
        List<Splice> splices = edits.splices();
        if (!splices.isEmpty()) {
            body = Splice.apply(body, 0, bodyLength, splices);
            bodyLength = body.length;
        }
    }

    /** The last value that says something, as Dynamo takes it. */
    private String tenant() {
        String last = null;
        for (String value : headers.getAll("x-tenant-id")) {
            last = value.isBlank() ? last : value.trim();
        }
        return last;
    }

    ApiKind kind() {
        return kind;
    }

    /** Model as the client names it, or null. */
    String model() {
        return model;
    }

    /** More about a refusal, or null. */
    String detail() {
        return detail;
    }

    /** The prompt for the encoder, or null where the request is placed by load. */
    PromptInput prompt() {
        return prompt;
    }

    /** Body for the engine, in its first {@link #bodyLength} bytes. */
    byte[] body() {
        return body;
    }

    int bodyLength() {
        return bodyLength;
    }

    /** The agent's session where the client's body names none to the engine; else null. */
    String sessionForEngine() {
        return sessionGiven ? null : route.session;
    }

    /** Whether the body has a place for a hint: an API of the engine's that takes it, and no such field of the client's. */
    boolean takesHint() {
        return takesHint;
    }

    /** Whether the router, and not the client, asked for usage in the stream. */
    boolean usageAsked() {
        return usageAsked;
    }

    /** Whether the client wants worker, prediction and number named. */
    boolean explained() {
        return "1".equals(headers.get("x-penstock-explain"));
    }

    RouteRequest route() {
        return route;
    }

    /** The first byte of the answer goes out: no other engine will need the body. */
    void firstByte() {
        body = null;
        prompt = null;
        received.release();
        received = null;
        front.counters().firstByte(kind, System.nanoTime() - startedNs);
    }
}
