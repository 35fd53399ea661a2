/** Which pages of KV cache a shared pool holds: logical pages, each of one or more physical objects. */
package io.penstock.index.pool;
