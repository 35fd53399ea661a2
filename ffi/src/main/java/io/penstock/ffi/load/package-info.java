/**
 * Where a native library is found, what has to be opened before it, and why it cannot be had. It answers "is it there?" for
 * {@code ffi/nixl} and {@code ffi/mooncake}, for {@code penstock doctor} and for {@code /health}.
 */
package io.penstock.ffi.load;
