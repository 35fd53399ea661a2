/** The agents' sessions as the requests of late show them: who started whom, how much they took, when they were last seen. */
package io.penstock.dataplane.session;
