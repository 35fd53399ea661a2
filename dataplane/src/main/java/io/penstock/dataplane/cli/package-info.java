/** The command line: {@code penstock} and its subcommands. What they start lives in the rooms that they name. */
package io.penstock.dataplane.cli;
