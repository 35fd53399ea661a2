/** The OpenAI APIs: what a request asks, the edits it may get, what an answer says, and how errors look. */
package io.penstock.bindings.openai;
