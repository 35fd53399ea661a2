package io.penstock.dataplane.http;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.penstock.dataplane.workers.WorkerEndpoint;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Headers on their way through: what concerns one connection stays there, all else passes in its order and case.
 *
 * <p>Hop-by-hop by RFC 9110, section 7.6.1. The engine is asked for an answer without compression: its usage is read on
 * the way, and compressed events reach nobody in time.
 *
 * <p><b>Threading:</b> stateless.
 */
final class ForwardedHeaders {
    private static final String RANK = "X-data-parallel-rank";
    private static final String OWN = "x-penstock-";
    private static final Set<String> HOP_BY_HOP = Set.of(
            "connection",
            "keep-alive",
            "proxy-connection",
            "proxy-authenticate",
            "proxy-authorization",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private ForwardedHeaders() {}

    /** Headers for the engine. */
    static HttpHeaders request(HttpHeaders from, WorkerEndpoint to, int bodyLength) {
        HttpHeaders out = endToEnd(from);
        out.remove(HttpHeaderNames.EXPECT);
        out.remove(HttpHeaderNames.CONTENT_LENGTH);
        out.set(HttpHeaderNames.HOST, host(to));
        out.set(HttpHeaderNames.ACCEPT_ENCODING, HttpHeaderValues.IDENTITY);
        if (bodyLength > 0) {
            out.set(HttpHeaderNames.CONTENT_LENGTH, bodyLength);
        }
        if (to.dpSize() > 1) {
            out.set(RANK, to.dpRank());
        }
        return out;
    }

    private static String host(WorkerEndpoint to) {
        String name = to.host().indexOf(':') >= 0 ? "[" + to.host() + "]" : to.host();
        return to.port() == 80 ? name : name + ":" + to.port();
    }

    /** Headers for the client. A stream of events is always chunked: the router may leave out or add one. */
    static HttpHeaders answer(HttpHeaders from, HttpResponseStatus status, ClientConnection client, boolean events) {
        HttpHeaders out = endToEnd(from);
        if (events) {
            out.remove(HttpHeaderNames.CONTENT_LENGTH);
        }
        Answers.connection(client, out);
        if (!out.contains(HttpHeaderNames.CONTENT_LENGTH) && hasBody(status)) {
            if (client.chunksUnderstood()) {
                out.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
            } else {
                out.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            }
        }
        return out;
    }

    private static boolean hasBody(HttpResponseStatus status) {
        return status.code() != 204 && status.code() != 304;
    }

    /** Whether the body is a stream of events, by its media type. */
    static boolean isEventStream(HttpHeaders headers) {
        String type = headers.get(HttpHeaderNames.CONTENT_TYPE);
        return type != null && type.regionMatches(true, 0, "text/event-stream", 0, "text/event-stream".length());
    }

    /** Whether the body is as it was made, not compressed. */
    static boolean isPlain(HttpHeaders headers) {
        String coding = headers.get(HttpHeaderNames.CONTENT_ENCODING);
        return coding == null || coding.isBlank() || HttpHeaderValues.IDENTITY.contentEqualsIgnoreCase(coding.trim());
    }

    private static HttpHeaders endToEnd(HttpHeaders from) {
        // What came in was checked then.
        HttpHeaders out =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        Iterator<Map.Entry<CharSequence, CharSequence>> all = from.iteratorCharSequence();
        while (all.hasNext()) {
            Map.Entry<CharSequence, CharSequence> header = all.next();
            String name = header.getKey().toString().toLowerCase(Locale.ROOT);
            if (!HOP_BY_HOP.contains(name) && !name.startsWith(OWN)) {
                out.add(header.getKey(), header.getValue());
            }
        }
        for (String listed : from.getAll(HttpHeaderNames.CONNECTION)) {
            for (String name : listed.split(",")) {
                if (!name.isBlank()) {
                    out.remove(name.trim());
                }
            }
        }
        return out;
    }
}
