package io.penstock.dataplane.tokens;

import java.util.List;
import java.util.Map;

/**
 * A prompt of messages, as the template gets it.
 *
 * @param messages template messages
 * @param tools template tools, or null
 * @param variables further template variables
 * @param addGenerationPrompt whether the assistant's turn is opened
 * @param specialTokens whether the tokenizer adds its special tokens around the rendered text
 */
record Conversation(
        List<Object> messages,
        List<Object> tools,
        Map<String, Object> variables,
        boolean addGenerationPrompt,
        boolean specialTokens) {}
