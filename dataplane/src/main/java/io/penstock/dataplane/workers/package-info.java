/** The workers of the fleet: who they are, where they publish their KV events, whether they live. */
package io.penstock.dataplane.workers;
