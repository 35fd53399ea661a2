package io.penstock.dataplane.http;

import io.netty.handler.codec.http.HttpRequest;

/**
 * Finds what answers a request.
 *
 * <p><b>Threading:</b> thread-safe.
 */
@FunctionalInterface
interface Resources {
    /** What answers the request; never null, an unknown path has an answer too. */
    Resource find(HttpRequest request);

    /** Path of a request target, without the query. */
    static String path(HttpRequest request) {
        String target = request.uri();
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    /** Value of a query parameter as it stands in the target, or null. */
    static String parameter(HttpRequest request, String name) {
        String target = request.uri();
        int query = target.indexOf('?');
        if (query < 0) {
            return null;
        }
        for (String pair : target.substring(query + 1).split("&")) {
            if (pair.startsWith(name) && pair.length() > name.length() && pair.charAt(name.length()) == '=') {
                return pair.substring(name.length() + 1);
            }
        }
        return null;
    }
}
