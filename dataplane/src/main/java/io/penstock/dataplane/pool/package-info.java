/** The shared pool: what it holds, how that is learnt, kept true and probed. */
package io.penstock.dataplane.pool;
