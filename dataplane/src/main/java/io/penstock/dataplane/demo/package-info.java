/**
 * {@code penstock demo}: engines, router and agents on this machine, the same sessions under one policy after the other.
 */
package io.penstock.dataplane.demo;
