package io.penstock.dataplane.tokens;

/**
 * Which engine to ask for the tokens of a model's prompts.
 *
 * <p><b>Threading:</b> called from the encoder's workers.
 */
@FunctionalInterface
public interface EngineUrls {
    /** Base URL ({@code http://host:port[/path]}, no trailing slash) of a healthy engine of the model, or null. */
    String url(String model);
}
