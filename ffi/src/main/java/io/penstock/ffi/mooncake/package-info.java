/** The C API of Mooncake's store, as its header {@code store_c.h} declares it. */
package io.penstock.ffi.mooncake;
