/** What every agent did: one record a request end, written behind the decision ring, read by anyone. */
package io.penstock.dataplane.journal;
