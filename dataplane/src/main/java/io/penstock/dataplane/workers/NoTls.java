package io.penstock.dataplane.workers;

import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * A TLS context that trusts nobody, for HTTP clients that only ask engines, and engines speak plain HTTP. Without it a
 * client parses the whole trust store of the JDK when it is made, at every start; a redirect to HTTPS fails either way.
 *
 * <p><b>Threading:</b> stateless.
 */
public final class NoTls {
    private NoTls() {}

    /** A new context. */
    public static SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[0], null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no TLS", e);
        }
    }
}
