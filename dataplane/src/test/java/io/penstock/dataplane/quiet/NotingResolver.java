package io.penstock.dataplane.quiet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/** Takes the place of the JVM's resolver, writes down every name that is asked for, and knows none. */
public final class NotingResolver extends InetAddressResolverProvider {
    /** File that takes the names. */
    static final String FILE = "penstock.test.names";

    @Override
    public InetAddressResolver get(Configuration configuration) {
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                note(host);
                throw new UnknownHostException(host);
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                note("reverse of " + InetAddress.getByAddress(address).getHostAddress());
                throw new UnknownHostException("no name");
            }
        };
    }

    private static void note(String what) {
        try {
            Files.writeString(
                    Path.of(System.getProperty(FILE)),
                    what + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String name() {
        return "noting";
    }
}
