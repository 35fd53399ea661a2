/** The C library. */
package io.penstock.ffi.libc;
