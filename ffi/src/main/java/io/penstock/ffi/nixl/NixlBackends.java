package io.penstock.ffi.nixl;

import static io.penstock.ffi.nixl.Shapes.A;
import static io.penstock.ffi.nixl.Shapes.IA;
import static io.penstock.ffi.nixl.Shapes.J;
import static io.penstock.ffi.nixl.Shapes.JA;
import static io.penstock.ffi.nixl.Shapes.JAA;
import static io.penstock.ffi.nixl.Shapes.JAAA;
import static io.penstock.ffi.nixl.Shapes.JAJA;
import static io.penstock.ffi.nixl.Shapes.JJA;
import static io.penstock.ffi.nixl.Shapes.JJAA;

import java.lang.foreign.MemorySegment;

/**
 * Plugins, backends and their parameters: which ones there are, what memory they move, and how one is made.
 *
 * <p>Lists, parameters and iterators are made by the library and destroyed by the caller. Strings out of them live as long as
 * the list, and are not to be freed.
 *
 * <p><b>Threading:</b> functions with an agent as its settings say; a list or an iterator by one thread at a time.
 * <b>Cost:</b> no allocation.
 */
public final class NixlBackends {
    private final NixlSymbols library;
    private final MemorySegment getAvailablePlugins;
    private final MemorySegment destroyStringList;
    private final MemorySegment stringListSize;
    private final MemorySegment stringListGet;
    private final MemorySegment getPluginParams;
    private final MemorySegment destroyMemList;
    private final MemorySegment destroyParams;
    private final MemorySegment createBackend;
    private final MemorySegment destroyBackend;
    private final MemorySegment getBackendParams;
    private final MemorySegment createParams;
    private final MemorySegment paramsAdd;
    private final MemorySegment paramsIsEmpty;
    private final MemorySegment paramsCreateIterator;
    private final MemorySegment paramsIteratorNext;
    private final MemorySegment paramsDestroyIterator;
    private final MemorySegment memListIsEmpty;
    private final MemorySegment memListSize;
    private final MemorySegment memListGet;
    private final MemorySegment memTypeToString;

    NixlBackends(NixlSymbols library) {
        this.library = library;
        getAvailablePlugins = library.find("nixl_capi_get_available_plugins", JA);
        destroyStringList = library.find("nixl_capi_destroy_string_list", J);
        stringListSize = library.find("nixl_capi_string_list_size", JA);
        stringListGet = library.find("nixl_capi_string_list_get", JJA);
        getPluginParams = library.find("nixl_capi_get_plugin_params", JAAA);
        destroyMemList = library.find("nixl_capi_destroy_mem_list", J);
        destroyParams = library.find("nixl_capi_destroy_params", J);
        createBackend = library.find("nixl_capi_create_backend", JAJA);
        destroyBackend = library.find("nixl_capi_destroy_backend", J);
        getBackendParams = library.find("nixl_capi_get_backend_params", JJAA);
        createParams = library.find("nixl_capi_create_params", A);
        paramsAdd = library.find("nixl_capi_params_add", JAA);
        paramsIsEmpty = library.find("nixl_capi_params_is_empty", JA);
        paramsCreateIterator = library.find("nixl_capi_params_create_iterator", JA);
        paramsIteratorNext = library.find("nixl_capi_params_iterator_next", JAAA);
        paramsDestroyIterator = library.find("nixl_capi_params_destroy_iterator", J);
        memListIsEmpty = library.find("nixl_capi_mem_list_is_empty", JA);
        memListSize = library.find("nixl_capi_mem_list_size", JA);
        memListGet = library.find("nixl_capi_mem_list_get", JJA);
        memTypeToString = library.find("nixl_capi_mem_type_to_string", IA);
    }

    /** The plugins found, as a list of strings. That one is listed does not say that it can be loaded. */
    public int getAvailablePlugins(long agent, MemorySegment plugins) {
        try {
            return (int) JA.invokeExact(getAvailablePlugins, agent, plugins);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_get_available_plugins", e);
        }
    }

    /** Destroys a list of strings. */
    public int destroyStringList(long list) {
        try {
            return (int) J.invokeExact(destroyStringList, list);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_destroy_string_list", e);
        }
    }

    /** Number of strings. */
    public int stringListSize(long list, MemorySegment size) {
        try {
            return (int) JA.invokeExact(stringListSize, list, size);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_string_list_size", e);
        }
    }

    /** Address of a string, which the list owns. */
    public int stringListGet(long list, long index, MemorySegment string) {
        try {
            return (int) JJA.invokeExact(stringListGet, list, index, string);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_string_list_get", e);
        }
    }

    /** Loads a plugin and gives its kinds of memory and its default parameters; both are the caller's to destroy. */
    public int getPluginParams(long agent, MemorySegment pluginName, MemorySegment memList, MemorySegment params) {
        try {
            return (int) JAAA.invokeExact(getPluginParams, agent, pluginName, memList, params);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_get_plugin_params", e);
        }
    }

    /** Destroys a list of kinds of memory. */
    public int destroyMemList(long list) {
        try {
            return (int) J.invokeExact(destroyMemList, list);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_destroy_mem_list", e);
        }
    }

    /** Destroys parameters. */
    public int destroyParams(long params) {
        try {
            return (int) J.invokeExact(destroyParams, params);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_destroy_params", e);
        }
    }

    /** Makes a backend of the agent; 35 to 140 ms. The agent owns what is behind the handle. */
    public int createBackend(long agent, MemorySegment pluginName, long params, MemorySegment backend) {
        try {
            return (int) JAJA.invokeExact(createBackend, agent, pluginName, params, backend);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_create_backend", e);
        }
    }

    /** Frees the handle of a backend; the backend itself lives as long as its agent. */
    public int destroyBackend(long backend) {
        try {
            return (int) J.invokeExact(destroyBackend, backend);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_destroy_backend", e);
        }
    }

    /** Kinds of memory and parameters of a backend as made; both are the caller's to destroy. */
    public int getBackendParams(long agent, long backend, MemorySegment memList, MemorySegment params) {
        try {
            return (int) JJAA.invokeExact(getBackendParams, agent, backend, memList, params);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_get_backend_params", e);
        }
    }

    /** Makes empty parameters. */
    public int createParams(MemorySegment params) {
        try {
            return (int) A.invokeExact(createParams, params);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_create_params", e);
        }
    }

    /** Adds a pair, or replaces it. Both are copied. */
    public int paramsAdd(long params, MemorySegment key, MemorySegment value) {
        try {
            return (int) JAA.invokeExact(paramsAdd, params, key, value);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_params_add", e);
        }
    }

    /** Whether there is no pair (one byte). */
    public int paramsIsEmpty(long params, MemorySegment isEmpty) {
        try {
            return (int) JA.invokeExact(paramsIsEmpty, params, isEmpty);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_params_is_empty", e);
        }
    }

    /** Makes an iterator. The parameters must outlive it. */
    public int paramsCreateIterator(long params, MemorySegment iterator) {
        try {
            return (int) JA.invokeExact(paramsCreateIterator, params, iterator);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_params_create_iterator", e);
        }
    }

    /**
     * Addresses of the next pair's key and value, and whether another follows (one byte). The strings belong to the
     * parameters. Past the end {@code hasNext} is false.
     */
    public int paramsIteratorNext(long iterator, MemorySegment key, MemorySegment value, MemorySegment hasNext) {
        try {
            return (int) JAAA.invokeExact(paramsIteratorNext, iterator, key, value, hasNext);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_params_iterator_next", e);
        }
    }

    /** Destroys an iterator. */
    public int paramsDestroyIterator(long iterator) {
        try {
            return (int) J.invokeExact(paramsDestroyIterator, iterator);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_params_destroy_iterator", e);
        }
    }

    /** Whether the list of kinds of memory is empty (one byte). */
    public int memListIsEmpty(long list, MemorySegment isEmpty) {
        try {
            return (int) JA.invokeExact(memListIsEmpty, list, isEmpty);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_mem_list_is_empty", e);
        }
    }

    /** Number of kinds of memory. */
    public int memListSize(long list, MemorySegment size) {
        try {
            return (int) JA.invokeExact(memListSize, list, size);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_mem_list_size", e);
        }
    }

    /** A kind of memory (int). */
    public int memListGet(long list, long index, MemorySegment memType) {
        try {
            return (int) JJA.invokeExact(memListGet, list, index, memType);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_mem_list_get", e);
        }
    }

    /** Address of a kind's name, which the library owns for ever. */
    public int memTypeToString(int memType, MemorySegment string) {
        try {
            return (int) IA.invokeExact(memTypeToString, memType, string);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_mem_type_to_string", e);
        }
    }
}
