package io.penstock.ffi.mooncake;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.ffi.load.LibrarySpec;
import io.penstock.ffi.load.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The functions of {@code libmooncake_store.so}, as {@code store_c.h} of Mooncake 0.3.13 declares them: 19, all without
 * the prefix {@code mooncake_store_}. A store is the pointer that {@link #create} returns. What a negative answer means
 * says {@link StoreStatus}.
 *
 * <p><b>Arena:</b> the library keeps nothing of what it is given beyond a call, except a buffer between
 * {@link #registerBuffer} and {@link #unregisterBuffer}, which must outlive the latter. Calls are made from any thread,
 * so what they are given lives in a shared, automatic or global arena, or in one confined to the calling thread.
 *
 * <p><b>Blocking:</b> all but {@link #create} and {@link #getHostname} ask the master or take locks. None is bound as
 * {@code critical}: one would hold up the JVM's safepoints while the master is silent. {@link #setup} took 4 s and
 * {@link #destroy} 20 s where the master was gone.
 *
 * <p>Where the library is absent every call throws {@link UnsupportedOperationException} with the cause.
 *
 * <p><b>Threading:</b> thread-safe; so is a store, except {@link #setup}, {@link #initAll} and {@link #destroy}, which
 * need it alone. <b>Cost:</b> no allocation, except for the segment that {@link #create} returns.
 */
public final class LibMooncakeStore {
    private static final String PREFIX = "mooncake_store_";

    private static final NativeLibrary LIBRARY = NativeLibrary.of(LibrarySpec.MOONCAKE_STORE);
    private static final List<String> MISSING = new ArrayList<>();

    // mooncake_store_t mooncake_store_create()
    private static final MethodHandle CREATE = bind("create", FunctionDescriptor.of(ADDRESS));
    // void mooncake_store_destroy(mooncake_store_t store)
    private static final MethodHandle DESTROY = bind("destroy", FunctionDescriptor.ofVoid(ADDRESS));
    // int mooncake_store_setup(mooncake_store_t store, const char *local_hostname, const char *metadata_server,
    //     uint64_t global_segment_size, uint64_t local_buffer_size, const char *protocol,
    //     const char *device_name, const char *master_server_addr)
    private static final MethodHandle SETUP = bind(
            "setup",
            FunctionDescriptor.of(
                    JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));
    // int mooncake_store_init_all(mooncake_store_t store, const char *protocol, const char *device_name,
    //     uint64_t mount_segment_size)
    private static final MethodHandle INIT_ALL =
            bind("init_all", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG));
    // int mooncake_store_health_check(mooncake_store_t store)
    private static final MethodHandle HEALTH_CHECK = bind("health_check", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    // int mooncake_store_put(mooncake_store_t store, const char *key, const void *value, size_t size,
    //     const mooncake_replicate_config_t *config)
    private static final MethodHandle PUT =
            bind("put", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
    // int mooncake_store_put_from(mooncake_store_t store, const char *key, void *buffer, size_t size,
    //     const mooncake_replicate_config_t *config)
    private static final MethodHandle PUT_FROM =
            bind("put_from", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
    // int mooncake_store_batch_put_from(mooncake_store_t store, const char **keys, void **buffers,
    //     const size_t *sizes, size_t count, const mooncake_replicate_config_t *config, int *results_out)
    private static final MethodHandle BATCH_PUT_FROM = bind(
            "batch_put_from",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));
    // int64_t mooncake_store_get_into(mooncake_store_t store, const char *key, void *buffer, size_t size)
    private static final MethodHandle GET_INTO =
            bind("get_into", FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG));
    // int mooncake_store_batch_get_into(mooncake_store_t store, const char **keys, void **buffers,
    //     const size_t *sizes, size_t count, int64_t *results_out)
    private static final MethodHandle BATCH_GET_INTO = bind(
            "batch_get_into", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
    // int mooncake_store_is_exist(mooncake_store_t store, const char *key)
    private static final MethodHandle IS_EXIST = bind("is_exist", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    // int mooncake_store_batch_is_exist(mooncake_store_t store, const char **keys, size_t count, int *results_out)
    private static final MethodHandle BATCH_IS_EXIST =
            bind("batch_is_exist", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
    // int64_t mooncake_store_get_size(mooncake_store_t store, const char *key)
    private static final MethodHandle GET_SIZE = bind("get_size", FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS));
    // int mooncake_store_get_hostname(mooncake_store_t store, char *buf_out, size_t buf_len)
    private static final MethodHandle GET_HOSTNAME =
            bind("get_hostname", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG));
    // int mooncake_store_remove(mooncake_store_t store, const char *key, int force)
    private static final MethodHandle REMOVE =
            bind("remove", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    // int64_t mooncake_store_remove_by_regex(mooncake_store_t store, const char *pattern, int force)
    private static final MethodHandle REMOVE_BY_REGEX =
            bind("remove_by_regex", FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, JAVA_INT));
    // int64_t mooncake_store_remove_all(mooncake_store_t store, int force)
    private static final MethodHandle REMOVE_ALL =
            bind("remove_all", FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_INT));
    // int mooncake_store_register_buffer(mooncake_store_t store, void *buffer, size_t size)
    private static final MethodHandle REGISTER_BUFFER =
            bind("register_buffer", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG));
    // int mooncake_store_unregister_buffer(mooncake_store_t store, void *buffer)
    private static final MethodHandle UNREGISTER_BUFFER =
            bind("unregister_buffer", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));

    private LibMooncakeStore() {}

    /** Whether the library was found and has all functions. */
    public static boolean isAvailable() {
        return unavailabilityCause() == null;
    }

    /** Why the library is not available, in one line; null if it is. */
    public static String unavailabilityCause() {
        if (LIBRARY.isAvailable() && !MISSING.isEmpty()) {
            return LIBRARY.path() + " lacks " + String.join(", ", MISSING);
        }
        return LIBRARY.cause();
    }

    private static MethodHandle bind(String name, FunctionDescriptor function) {
        if (LIBRARY.isAvailable() && !LIBRARY.has(PREFIX + name)) {
            MISSING.add(PREFIX + name);
        }
        return LIBRARY.bind(PREFIX + name, function);
    }

    /** A store that is not set up yet, or NULL. */
    public static MemorySegment create() {
        try {
            return (MemorySegment) CREATE.invokeExact();
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Takes the store's segment out of the pool and frees the store; NULL is allowed. */
    public static void destroy(MemorySegment store) {
        try {
            DESTROY.invokeExact(store);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * Connects to the master. A store that only asks has 0 bytes of both kinds.
     *
     * @param localHostname {@code host:port} that others reach this store at
     * @param metadataServer {@code P2PHANDSHAKE}, or the metadata server's URL
     * @param globalSegmentSize bytes of memory to give to the pool
     * @param localBufferSize bytes of memory for transfers
     * @param protocol {@code tcp} or {@code rdma}
     * @param deviceName of the network card, or empty
     * @param masterServerAddr {@code host:port} of the master
     * @return 0, or a negative status; {@link StoreStatus#INVALID_PARAMS} also where no master answers
     */
    public static int setup(
            MemorySegment store,
            MemorySegment localHostname,
            MemorySegment metadataServer,
            long globalSegmentSize,
            long localBufferSize,
            MemorySegment protocol,
            MemorySegment deviceName,
            MemorySegment masterServerAddr) {
        try {
            return (int) SETUP.invokeExact(
                    store,
                    localHostname,
                    metadataServer,
                    globalSegmentSize,
                    localBufferSize,
                    protocol,
                    deviceName,
                    masterServerAddr);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Sets the store up from the library's own environment variables; 0 or a negative status. */
    public static int initAll(
            MemorySegment store, MemorySegment protocol, MemorySegment deviceName, long mountSegmentSize) {
        try {
            return (int) INIT_ALL.invokeExact(store, protocol, deviceName, mountSegmentSize);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** The store's own view of its health. */
    public static int healthCheck(MemorySegment store) {
        try {
            return (int) HEALTH_CHECK.invokeExact(store);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Stores an object, from any memory; a key that is there keeps its value, and that is 0 too. */
    public static int put(
            MemorySegment store, MemorySegment key, MemorySegment value, long size, MemorySegment config) {
        try {
            return (int) PUT.invokeExact(store, key, value, size, config);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** As {@link #put}, from a registered buffer and without a copy. */
    public static int putFrom(
            MemorySegment store, MemorySegment key, MemorySegment buffer, long size, MemorySegment config) {
        try {
            return (int) PUT_FROM.invokeExact(store, key, buffer, size, config);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Stores {@code count} objects from registered buffers; a status for each in {@code resultsOut} (int). */
    public static int batchPutFrom(
            MemorySegment store,
            MemorySegment keys,
            MemorySegment buffers,
            MemorySegment sizes,
            long count,
            MemorySegment config,
            MemorySegment resultsOut) {
        try {
            return (int) BATCH_PUT_FROM.invokeExact(store, keys, buffers, sizes, count, config, resultsOut);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Reads an object; its size, or a negative status. */
    public static long getInto(MemorySegment store, MemorySegment key, MemorySegment buffer, long size) {
        try {
            return (long) GET_INTO.invokeExact(store, key, buffer, size);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Reads {@code count} objects; a size or a negative status for each in {@code resultsOut} (long). */
    public static int batchGetInto(
            MemorySegment store,
            MemorySegment keys,
            MemorySegment buffers,
            MemorySegment sizes,
            long count,
            MemorySegment resultsOut) {
        try {
            return (int) BATCH_GET_INTO.invokeExact(store, keys, buffers, sizes, count, resultsOut);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** 1 there, 0 not there, or a negative status. Renews the object's lease. */
    public static int isExist(MemorySegment store, MemorySegment key) {
        try {
            return (int) IS_EXIST.invokeExact(store, key);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * Asks for {@code count} objects; {@code resultsOut} (int) gets for each what {@link #isExist} says. Renews the leases
     * of those that are there.
     *
     * @return 0 also where the master did not answer: the error is in each result
     */
    public static int batchIsExist(MemorySegment store, MemorySegment keys, long count, MemorySegment resultsOut) {
        try {
            return (int) BATCH_IS_EXIST.invokeExact(store, keys, count, resultsOut);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Bytes of an object, or a negative status. Renews the object's lease. */
    public static long getSize(MemorySegment store, MemorySegment key) {
        try {
            return (long) GET_SIZE.invokeExact(store, key);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Writes the store's host name as a C string; 0, or -1 where the buffer is too short. */
    public static int getHostname(MemorySegment store, MemorySegment bufOut, long bufLen) {
        try {
            return (int) GET_HOSTNAME.invokeExact(store, bufOut, bufLen);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Removes an object; {@link StoreStatus#OBJECT_HAS_LEASE} while somebody read or probed it, unless forced. */
    public static int remove(MemorySegment store, MemorySegment key, int force) {
        try {
            return (int) REMOVE.invokeExact(store, key, force);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Removes what matches; how many, or a negative status. */
    public static long removeByRegex(MemorySegment store, MemorySegment pattern, int force) {
        try {
            return (long) REMOVE_BY_REGEX.invokeExact(store, pattern, force);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Removes everything; how many, or a negative status. */
    public static long removeAll(MemorySegment store, int force) {
        try {
            return (long) REMOVE_ALL.invokeExact(store, force);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Makes a buffer known to the transfers; 0 or a negative status. */
    public static int registerBuffer(MemorySegment store, MemorySegment buffer, long size) {
        try {
            return (int) REGISTER_BUFFER.invokeExact(store, buffer, size);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Ends {@link #registerBuffer}; 0 or a negative status. */
    public static int unregisterBuffer(MemorySegment store, MemorySegment buffer) {
        try {
            return (int) UNREGISTER_BUFFER.invokeExact(store, buffer);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static RuntimeException unexpected(Throwable cause) {
        return cause instanceof UnsupportedOperationException absent
                ? absent
                : new IllegalStateException("a call into libmooncake_store could not be made", cause);
    }
}
