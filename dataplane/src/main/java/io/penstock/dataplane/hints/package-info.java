/**
 * KvHints to engines: who is told to fetch what from whom, how it gets there, what became of it. Hints are wishes: nothing
 * waits for one, and without them the router decides as it does.
 */
package io.penstock.dataplane.hints;
