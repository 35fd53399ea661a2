/**
 * Agent sessions to replay: recorded ones (Claude Code session files, Mooncake rows) and generated ones, in one model,
 * and how they are chosen, scaled and measured before they are sent.
 */
package io.penstock.dataplane.trace;
