/** Request traces as Dynamo's users know them: its row, its environment names, its sinks, its tool events. */
package io.penstock.dataplane.sinks;
