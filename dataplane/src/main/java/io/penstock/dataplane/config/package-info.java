/**
 * One YAML file, one tree of records: read strictly, each key with a default, each overridable by one flag.
 *
 * <p>The keys are the record components' names, so that a concern's configuration is declared once, in its own room.
 */
package io.penstock.dataplane.config;
