package io.penstock.dataplane.pool;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One GET with a time limit that includes everything; the client's own ends at the headers.
 *
 * <p><b>Threading:</b> stateless.
 */
final class HttpAnswer {
    private static final int OK = 200;
    private static final int SHOWN = 80;

    private HttpAnswer() {}

    /**
     * The body of an answer with status 200.
     *
     * @throws HttpLateException it did not come in time
     * @throws IOException it did not come, or with another status
     */
    static <T> T of(HttpClient client, URI uri, long timeoutMs, HttpResponse.BodyHandler<T> body) throws IOException {
        if (timeoutMs <= 0) {
            throw late(uri);
        }
        HttpRequest request = HttpRequest.newBuilder(uri).build();
        CompletableFuture<HttpResponse<T>> answer = client.sendAsync(
                request,
                // A body that nobody reads would keep its connection.
                info -> info.statusCode() == OK ? body.apply(info) : HttpResponse.BodySubscribers.replacing(null));
        try {
            HttpResponse<T> response = answer.get(timeoutMs, TimeUnit.MILLISECONDS);
            if (response.statusCode() != OK) {
                throw new IOException("status " + response.statusCode() + " from " + shown(uri));
            }
            return response.body();
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw late(uri);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException("interrupted: " + shown(uri), e);
        } catch (ExecutionException e) {
            String why = e.getCause().getMessage() == null
                    ? e.getCause().getClass().getSimpleName()
                    : e.getCause().getMessage();
            throw new IOException("no answer from " + shown(uri) + ": " + why, e.getCause());
        }
    }

    private static HttpLateException late(URI uri) {
        return new HttpLateException("no answer in time from " + shown(uri));
    }

    private static String shown(URI uri) {
        String text = uri.toString();
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
    }
}
