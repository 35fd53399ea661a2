/** The Anthropic messages API, where it differs from OpenAI's in what a router reads. */
package io.penstock.bindings.anthropic;
