/** Which native libraries of others this router has: where they are looked for, what was found, what to install. */
package io.penstock.dataplane.libraries;
