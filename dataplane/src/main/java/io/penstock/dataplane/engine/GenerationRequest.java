package io.penstock.dataplane.engine;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a request body says, before it is checked.
 *
 * <p><b>Threading:</b> owned by the HTTP loop that reads it.
 */
final class GenerationRequest {
    String model;
    /** Prompt as token ids; null where it is text or messages. */
    int[] promptTokens;
    /** Prompt as text; null where it is token ids or messages. */
    String promptText;
    /** Messages ({@code messages}, or {@code input} of the Responses API). */
    JsonNode messages;
    /** System prompt ({@code system} of Anthropic, {@code instructions} of Responses). */
    JsonNode system;

    JsonNode tools;
    JsonNode toolChoice;
    boolean addGenerationPrompt = true;
    boolean stream;
    boolean includeUsage;
    boolean returnTokenIds;
    boolean ignoreEos;
    int maxTokens = -1;
    int minTokens;
    int choices = 1;
    String cacheSalt;
    String sessionId;
    boolean reportHits;
}
