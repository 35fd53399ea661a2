/**
 * Chat templates: the part of Jinja that they use, with Python's semantics, as Hugging Face's {@code transformers}
 * renders them (sandboxed, immutable, {@code trim_blocks} and {@code lstrip_blocks} on, loop controls).
 *
 * <p>What it does not know fails when the template is compiled, never by rendering something else: a prompt that cannot
 * be rendered exactly is not claimed. Values are Java's: null, Boolean, Integer, Long, BigInteger, Double, String, List, Map,
 * {@link io.penstock.dataplane.tokens.jinja.Undefined}.
 */
package io.penstock.dataplane.tokens.jinja;
