/** Who an agent says it is: session, parent and group, from the headers of the harnesses. */
package io.penstock.bindings.harness;
