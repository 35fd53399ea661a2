/** What calls into the native libraries cost from Java, beside C and Python's ctypes. */
package io.penstock.perf.ffi;
