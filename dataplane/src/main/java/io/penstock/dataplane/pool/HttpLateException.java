package io.penstock.dataplane.pool;

import java.io.IOException;

/** An answer did not come in time. */
final class HttpLateException extends IOException {
    private static final long serialVersionUID = 1;

    HttpLateException(String message) {
        super(message);
    }
}
