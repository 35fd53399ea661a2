/** How engines name what they put into a shared pool. */
package io.penstock.bindings.pool;
