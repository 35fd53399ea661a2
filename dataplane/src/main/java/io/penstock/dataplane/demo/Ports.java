package io.penstock.dataplane.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Free ports on loopback, all different. Another process may take one before it is used: the start then fails and says so.
 *
 * <p><b>Threading:</b> stateless.
 */
final class Ports {
    private Ports() {}

    static int[] free(int count) throws IOException {
        List<ServerSocket> held = new ArrayList<>(count);
        try {
            int[] ports = new int[count];
            for (int i = 0; i < count; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                held.add(socket);
                ports[i] = socket.getLocalPort();
            }
            return ports;
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
    }
}
