/** What the journal says, in the formats of others' tools: replay inputs, traces, tables, companions of trajectories. */
package io.penstock.dataplane.export;
