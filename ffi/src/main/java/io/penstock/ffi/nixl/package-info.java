/**
 * NIXL: the 104 functions of its C API as they are, and the small agent that the router uses of them.
 *
 * <p>{@link io.penstock.ffi.nixl.NixlCapi} has the functions, by what they are about. Their names are the C names without
 * {@code nixl_capi_}. A {@code long} handle or address is memory of the library's, 0 is NULL; a {@code MemorySegment} is
 * memory of the caller's, of any arena that the calling thread may use, and is held open for the call.
 */
package io.penstock.ffi.nixl;
