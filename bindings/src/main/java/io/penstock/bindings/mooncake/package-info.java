/** What Mooncake's master publishes of its store. */
package io.penstock.bindings.mooncake;
