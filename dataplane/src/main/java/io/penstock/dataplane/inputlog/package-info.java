/** The flight recorder: every input of the core and its decisions, and the means to decide again. */
package io.penstock.dataplane.inputlog;
