package io.penstock.dataplane.tokens;

import io.penstock.dataplane.tokens.TokenStatus.State;
import io.penstock.dataplane.tokens.jinja.JinjaException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds this process's rendering against the engine's own, on probe chats that exercise what templates and engines differ
 * in: padding, unicode, empty and null contents, parts, tools with absent fields, calls, results, switches.
 *
 * <p>An engine that refuses a probe counts for it if our template refuses it too, and against nothing otherwise: engines
 * validate more than templates do.
 *
 * <p><b>Threading:</b> stateless; blocks on the engine's answers.
 */
final class RenderingCheck {
    private static final String PROBES = """
            [{"messages": [{"role": "user", "content": "Hello!"}]},
             {"messages": [{"role": "system", "content": " You are terse.\\n"}, {"role": "user", "content": " na\u00efve \u65e5\u672c "},
               {"role": "assistant", "content": "<b>ok</b> "}, {"role": "user", "content": ""}]},
             {"messages": [{"role": "user", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]}]},
             {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}],
               "add_generation_prompt": false},
             {"messages": [{"role": "user", "content": "q"}], "chat_template_kwargs": {"enable_thinking": false}},
             {"messages": [{"role": "system", "content": "S"}, {"role": "user", "content": "weather?"}],
               "tools": [
               {"type": "function", "function": {"name": "get_weather", "description": "Weather \\"now\\" <here> \u00fc",
                 "parameters": {"type": "object", "required": ["city"], "properties": {
                   "city": {"type": "string", "description": "d"}, "days": {"type": "integer", "minimum": 1.5}}}}},
               {"type": "function", "function": {"name": "bare"}}]},
             {"messages": [{"role": "user", "content": "weather?"},
               {"role": "assistant", "content": null, "tool_calls": [{"id": "call_0123456789", "type": "function",
                 "function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Z\u00fcrich\\", \\"n\\": [1, 2.0, null, true]}"}}]},
               {"role": "tool", "tool_call_id": "call_0123456789", "content": "{\\"t\\": 21}"},
               {"role": "assistant", "content": "21"}, {"role": "user", "content": "thanks"}],
               "tools": [{"type": "function", "function": {"name": "get_weather", "description": "w",
                 "parameters": {"type": "object", "properties": {}}}}]}]
            """;

    private static final String MESSAGES_PROBE = """
            {"max_tokens": 16, "system": "S", "messages": [{"role": "user", "content": "weather?"}],
              "tools": [{"name": "get_weather", "description": "w",
                "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}}}]}
            """;

    private final ModelPrompts model;
    private final EngineTokens engine;
    private final String name;
    private final int timeoutMs;

    RenderingCheck(ModelPrompts model, EngineTokens engine, String name, int timeoutMs) {
        this.model = model;
        this.engine = engine;
        this.name = name;
        this.timeoutMs = timeoutMs;
    }

    /** Compares on every probe, in each dialect until one agrees, and lets the model speak that one. */
    TokenStatus against(String url) {
        List<Map<String, Object>> probes = probes();
        List<int[]> theirs = new ArrayList<>();
        int answered = 0;
        for (Map<String, Object> probe : probes) {
            probe.put("model", name);
            int[] ids = engine.tokenize(url, probe, timeoutMs).join();
            theirs.add(ids);
            answered += ids == null ? 0 : 1;
        }
        if (answered == 0) {
            return new TokenStatus(name, TokenSource.TOKENIZER, State.UNCHECKED, "no tokenize endpoint at " + url);
        }
        String difference = null;
        for (Dialect dialect : Dialect.all()) {
            String found = difference(probes, theirs, dialect);
            if (found == null) {
                model.speak(dialect.with(deferral(url, dialect)));
                return new TokenStatus(name, TokenSource.TOKENIZER, State.AGREES, "");
            }
            difference = difference == null ? found : difference;
        }
        return new TokenStatus(name, TokenSource.ENGINE, State.DIFFERS, difference);
    }

    private String difference(List<Map<String, Object>> probes, List<int[]> theirs, Dialect dialect) {
        for (int i = 0; i < probes.size(); i++) {
            if (theirs.get(i) == null) {
                continue;
            }
            try {
                Conversation c = model.chatBody(dialect).chat(probes.get(i));
                int[] ours = model.tokenizer().encode(model.render(c), c.specialTokens());
                if (!Arrays.equals(ours, theirs.get(i))) {
                    return "probe " + i + ": " + ours.length + " tokens here, " + theirs.get(i).length
                            + " there, first difference at " + Arrays.mismatch(ours, theirs.get(i));
                }
            } catch (JinjaException | UnsupportedPrompt e) {
                return "probe " + i + ": the engine renders what fails here: " + e.getMessage();
            }
        }
        return null;
    }

    /** Anthropic tools: only the engine's count of such a prompt can be had, and is held against each form's. */
    private Dialect.Deferral deferral(String url, Dialect dialect) {
        Map<String, Object> probe = parse("[" + MESSAGES_PROBE + "]").getFirst();
        probe.put("model", name);
        int theirs = engine.countMessages(url, probe, timeoutMs).join();
        if (theirs < 0) {
            // Engines without that endpoint are older than deferred tools.
            return Dialect.Deferral.ABSENT;
        }
        for (Dialect.Deferral d : Dialect.Deferral.values()) {
            try {
                Conversation c = model.chatBody(dialect).chat(MessagesBody.toChat(probe, d));
                if (model.tokenizer().encode(model.render(c), false).length == theirs) {
                    return d;
                }
            } catch (JinjaException | UnsupportedPrompt e) {
                return Dialect.Deferral.UNKNOWN;
            }
        }
        return Dialect.Deferral.UNKNOWN;
    }

    private static List<Map<String, Object>> probes() {
        return parse(PROBES);
    }

    private static List<Map<String, Object>> parse(String probes) {
        try {
            return ChatBody.JSON.readValue(
                    probes,
                    ChatBody.JSON
                            .getTypeFactory()
                            .constructCollectionType(
                                    List.class,
                                    ChatBody.JSON
                                            .getTypeFactory()
                                            .constructMapType(LinkedHashMap.class, String.class, Object.class)));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalStateException("the probes are not JSON", e);
        }
    }
}
