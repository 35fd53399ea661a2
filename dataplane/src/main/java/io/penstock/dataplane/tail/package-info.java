/** Requests and tools as they end, one line each, read from another process ({@code penstock tail}). */
package io.penstock.dataplane.tail;
