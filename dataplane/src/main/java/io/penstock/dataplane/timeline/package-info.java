/** What every agent did when: a journal as a Perfetto trace and as one page ({@code penstock timeline}). */
package io.penstock.dataplane.timeline;
