package io.penstock.ffi.zmq;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The functions of libzmq 4.x that Penstock calls, as {@code zmq.h} declares them. Found by its name
 * {@code libzmq.so.5}; where it is not installed, {@link #isAvailable} is false and {@link #unavailabilityCause} says why.
 *
 * <p>Pointers that come back on hot paths are taken as 64-bit numbers, so that a call makes no object. A call that can
 * fail with an {@code errno} writes it into the caller's {@link #CAPTURE} segment, since the JVM may change it before a
 * second call could ask.
 *
 * <p><b>Threading:</b> stateless. A ZMQ socket belongs to one thread. <b>Cost:</b> no allocation.
 */
public final class LibZmq {
    /** Socket type PAIR. */
    public static final int ZMQ_PAIR = 0;

    /** Socket type PUB. */
    public static final int ZMQ_PUB = 1;

    /** Socket type SUB. */
    public static final int ZMQ_SUB = 2;

    /** Socket type DEALER. */
    public static final int ZMQ_DEALER = 5;

    /** Socket type ROUTER. */
    public static final int ZMQ_ROUTER = 6;

    /** Socket type PULL. */
    public static final int ZMQ_PULL = 7;

    /** Option: subscribe to a prefix (bytes). */
    public static final int ZMQ_SUBSCRIBE = 6;

    /** Option: milliseconds to linger on close (int). */
    public static final int ZMQ_LINGER = 17;

    /** Option: high-water mark of sending (int); 0 = none. */
    public static final int ZMQ_SNDHWM = 23;

    /** Option: high-water mark of receiving (int); 0 = none. */
    public static final int ZMQ_RCVHWM = 24;

    /** Option: last endpoint bound (string, read only). */
    public static final int ZMQ_LAST_ENDPOINT = 32;

    /** Option: TCP keep-alive (int). */
    public static final int ZMQ_TCP_KEEPALIVE = 34;

    /** Option: IPv6 (int). */
    public static final int ZMQ_IPV6 = 42;

    /** Option: milliseconds between heartbeats (int). */
    public static final int ZMQ_HEARTBEAT_IVL = 75;

    /** Option: milliseconds without an answer to a heartbeat (int). */
    public static final int ZMQ_HEARTBEAT_TIMEOUT = 77;

    /** Flag of send and receive: do not wait. */
    public static final int ZMQ_DONTWAIT = 1;

    /** Flag of send: another part follows. */
    public static final int ZMQ_SNDMORE = 2;

    /** Poll: a message can be read. */
    public static final short ZMQ_POLLIN = 1;

    /** Monitor event: a connection was made. */
    public static final int ZMQ_EVENT_CONNECTED = 1;

    /** Monitor event: a connection was lost. */
    public static final int ZMQ_EVENT_DISCONNECTED = 0x200;

    /** {@code errno}: nothing to read, or no room to write. */
    public static final int EAGAIN = 11;

    /** {@code errno}: a signal came. */
    public static final int EINTR = 4;

    /** Bytes of a {@code zmq_msg_t}; 8-aligned. */
    public static final int MSG_BYTES = 64;

    /** {@code zmq_pollitem_t}: {@code {void *socket; int fd; short events; short revents;}}. */
    public static final int POLLITEM_BYTES = 16;

    /** Offset of {@code zmq_pollitem_t.fd}. */
    public static final int POLLITEM_FD = 8;

    /** Offset of {@code zmq_pollitem_t.events}. */
    public static final int POLLITEM_EVENTS = 12;

    /** Offset of {@code zmq_pollitem_t.revents}. */
    public static final int POLLITEM_REVENTS = 14;

    /** Layout of the segment that takes {@code errno}. */
    public static final StructLayout CAPTURE = Linker.Option.captureStateLayout();

    private static final VarHandle ERRNO = CAPTURE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final Throwable CAUSE;
    private static final SymbolLookup LIBRARY;

    static {
        SymbolLookup found = null;
        Throwable cause = null;
        try {
            found = SymbolLookup.libraryLookup("libzmq.so.5", Arena.global());
        } catch (IllegalArgumentException | IllegalCallerException missing) {
            cause = missing;
        }
        LIBRARY = found;
        CAUSE = cause;
    }

    // void *zmq_ctx_new(void)
    private static final MethodHandle CTX_NEW = bind("zmq_ctx_new", FunctionDescriptor.of(ADDRESS));
    // int zmq_ctx_term(void *context)
    private static final MethodHandle CTX_TERM = bind("zmq_ctx_term", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    // int zmq_ctx_set(void *context, int option, int optval)
    private static final MethodHandle CTX_SET =
            bind("zmq_ctx_set", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    // void *zmq_socket(void *context, int type)
    private static final MethodHandle SOCKET =
            capturing("zmq_socket", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
    // int zmq_close(void *s)
    private static final MethodHandle CLOSE = bind("zmq_close", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    // int zmq_setsockopt(void *s, int option, const void *optval, size_t optvallen)
    private static final MethodHandle SETSOCKOPT =
            capturing("zmq_setsockopt", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG));
    // int zmq_getsockopt(void *s, int option, void *optval, size_t *optvallen)
    private static final MethodHandle GETSOCKOPT =
            capturing("zmq_getsockopt", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS));
    // int zmq_bind(void *s, const char *addr)
    private static final MethodHandle BIND = capturing("zmq_bind", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    // int zmq_connect(void *s, const char *addr)
    private static final MethodHandle CONNECT =
            capturing("zmq_connect", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    // int zmq_send(void *s, const void *buf, size_t len, int flags)
    private static final MethodHandle SEND =
            capturing("zmq_send", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT));
    // int zmq_msg_init(zmq_msg_t *msg)
    private static final MethodHandle MSG_INIT = bind("zmq_msg_init", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    // int zmq_msg_recv(zmq_msg_t *msg, void *s, int flags)
    private static final MethodHandle MSG_RECV =
            capturing("zmq_msg_recv", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    // int zmq_msg_close(zmq_msg_t *msg)
    private static final MethodHandle MSG_CLOSE = bind("zmq_msg_close", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    // void *zmq_msg_data(zmq_msg_t *msg), the pointer taken as a number
    private static final MethodHandle MSG_DATA = bind("zmq_msg_data", FunctionDescriptor.of(JAVA_LONG, ADDRESS));
    // size_t zmq_msg_size(const zmq_msg_t *msg)
    private static final MethodHandle MSG_SIZE = bind("zmq_msg_size", FunctionDescriptor.of(JAVA_LONG, ADDRESS));
    // int zmq_msg_more(const zmq_msg_t *msg)
    private static final MethodHandle MSG_MORE = bind("zmq_msg_more", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    // int zmq_poll(zmq_pollitem_t *items, int nitems, long timeout)
    private static final MethodHandle POLL =
            capturing("zmq_poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG));
    // int zmq_socket_monitor(void *s, const char *addr, int events)
    private static final MethodHandle MONITOR =
            capturing("zmq_socket_monitor", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    // const char *zmq_strerror(int errnum)
    private static final MethodHandle STRERROR = bind("zmq_strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));
    // void zmq_version(int *major, int *minor, int *patch)
    private static final MethodHandle VERSION =
            bind("zmq_version", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, ADDRESS));

    private LibZmq() {}

    /** Whether the library was found. */
    public static boolean isAvailable() {
        return LIBRARY != null;
    }

    /** Why the library is not available; null if it is. */
    public static Throwable unavailabilityCause() {
        return CAUSE;
    }

    private static MethodHandle bind(String name, FunctionDescriptor function, Linker.Option... options) {
        return LIBRARY == null
                ? null
                : Linker.nativeLinker().downcallHandle(LIBRARY.findOrThrow(name), function, options);
    }

    private static MethodHandle capturing(String name, FunctionDescriptor function) {
        return bind(name, function, Linker.Option.captureCallState("errno"));
    }

    /** {@code errno} of the last call that was given this segment. */
    public static int errno(MemorySegment capture) {
        return (int) ERRNO.get(capture, 0L);
    }

    /** A new context, or null. */
    public static MemorySegment ctxNew() {
        try {
            return (MemorySegment) CTX_NEW.invokeExact();
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Sets a number of a context. */
    public static int ctxSet(MemorySegment context, int option, int value) {
        try {
            return (int) CTX_SET.invokeExact(context, option, value);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Ends a context; waits until its sockets are closed. */
    public static int ctxTerm(MemorySegment context) {
        try {
            return (int) CTX_TERM.invokeExact(context);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** A socket, or NULL. */
    public static MemorySegment socket(MemorySegment capture, MemorySegment context, int type) {
        try {
            return (MemorySegment) SOCKET.invokeExact(capture, context, type);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Closes a socket. */
    public static int close(MemorySegment socket) {
        try {
            return (int) CLOSE.invokeExact(socket);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Sets an option from a value of {@code length} bytes. */
    public static int setsockopt(
            MemorySegment capture, MemorySegment socket, int option, MemorySegment value, long length) {
        try {
            return (int) SETSOCKOPT.invokeExact(capture, socket, option, value, length);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Reads an option; {@code length} is in and out. */
    public static int getsockopt(
            MemorySegment capture, MemorySegment socket, int option, MemorySegment value, MemorySegment length) {
        try {
            return (int) GETSOCKOPT.invokeExact(capture, socket, option, value, length);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Binds to an endpoint (C string). */
    public static int bindTo(MemorySegment capture, MemorySegment socket, MemorySegment endpoint) {
        try {
            return (int) BIND.invokeExact(capture, socket, endpoint);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Connects to an endpoint (C string). */
    public static int connect(MemorySegment capture, MemorySegment socket, MemorySegment endpoint) {
        try {
            return (int) CONNECT.invokeExact(capture, socket, endpoint);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Sends a part; its length, or -1. */
    public static int send(MemorySegment capture, MemorySegment socket, MemorySegment part, long length, int flags) {
        try {
            return (int) SEND.invokeExact(capture, socket, part, length, flags);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Makes an empty message. */
    public static int msgInit(MemorySegment message) {
        try {
            return (int) MSG_INIT.invokeExact(message);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Receives a part; its length, or -1. */
    public static int msgRecv(MemorySegment capture, MemorySegment message, MemorySegment socket, int flags) {
        try {
            return (int) MSG_RECV.invokeExact(capture, message, socket, flags);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Frees a message's content. */
    public static int msgClose(MemorySegment message) {
        try {
            return (int) MSG_CLOSE.invokeExact(message);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Address of a message's bytes. */
    public static long msgData(MemorySegment message) {
        try {
            return (long) MSG_DATA.invokeExact(message);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Length of a message. */
    public static long msgSize(MemorySegment message) {
        try {
            return (long) MSG_SIZE.invokeExact(message);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Whether another part follows. */
    public static boolean msgMore(MemorySegment message) {
        try {
            return (int) MSG_MORE.invokeExact(message) != 0;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Waits up to {@code timeoutMs} for one of the items; number of ready ones, or -1. */
    public static int poll(MemorySegment capture, MemorySegment items, int count, long timeoutMs) {
        try {
            return (int) POLL.invokeExact(capture, items, count, timeoutMs);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Reports a socket's connection events on an in-process endpoint (C string). */
    public static int socketMonitor(MemorySegment capture, MemorySegment socket, MemorySegment endpoint, int events) {
        try {
            return (int) MONITOR.invokeExact(capture, socket, endpoint, events);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Text of an error number. */
    public static String strerror(int error) {
        try {
            return ((MemorySegment) STRERROR.invokeExact(error))
                    .reinterpret(1024)
                    .getString(0);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Version of the library, {@code major.minor.patch}. */
    public static String version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment parts = arena.allocate(JAVA_INT, 3);
            VERSION.invokeExact(parts, parts.asSlice(4), parts.asSlice(8));
            return parts.getAtIndex(JAVA_INT, 0) + "." + parts.getAtIndex(JAVA_INT, 1) + "."
                    + parts.getAtIndex(JAVA_INT, 2);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static IllegalStateException unexpected(Throwable cause) {
        return new IllegalStateException("a call into libzmq could not be made", cause);
    }
}
