package io.penstock.dataplane.tokens;

import io.penstock.dataplane.tokens.jinja.JinjaException;
import io.penstock.dataplane.tokens.jinja.JinjaTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A model's tokenizer and chat template in this process: from the files beside its weights
 * ({@code tokenizer.json}, {@code tokenizer_config.json}, {@code chat_template.jinja}).
 *
 * <p><b>Threading:</b> immutable but for the dialect, which is set by {@link RenderingCheck} and read by any thread.
 */
final class ModelPrompts implements AutoCloseable {
    private static final List<String> SPECIAL_NAMES =
            List.of("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token");

    private final NativeTokenizer tokenizer;
    private final CutTokens cuts;
    private final Map<String, Object> specials;
    private final Map<String, JinjaTemplate> templates;
    private final ContentFormat format;
    private final boolean reasoning;
    private volatile Dialect dialect = Dialect.VLLM;

    private ModelPrompts(
            NativeTokenizer tokenizer,
            CutTokens cuts,
            Map<String, Object> specials,
            Map<String, String> sources,
            Supplier<LocalDateTime> clock) {
        this.tokenizer = tokenizer;
        this.cuts = cuts;
        this.specials = specials;
        this.templates = new LinkedHashMap<>();
        sources.forEach((name, source) -> templates.put(name, JinjaTemplate.compile(source, clock)));
        JinjaTemplate main = templates.get("default");
        this.format = main == null ? ContentFormat.TEXT : ContentFormat.of(main);
        this.reasoning = sources.values().stream().anyMatch(s -> s.contains("reasoning"));
    }

    /**
     * Loads a model's files.
     *
     * @throws IllegalArgumentException if one cannot be read or used
     */
    static ModelPrompts load(ModelTokens config, Supplier<LocalDateTime> clock) {
        Path folder = Path.of(config.tokenizerFolder());
        Map<String, Object> settings = Files.exists(folder.resolve("tokenizer_config.json"))
                ? json(folder.resolve("tokenizer_config.json"))
                : Map.of();
        Map<String, Object> file = json(folder.resolve("tokenizer.json"));
        Map<String, String> sources = new LinkedHashMap<>();
        if (config.chatTemplateFile() != null) {
            sources.put("default", text(Path.of(config.chatTemplateFile())));
        } else if (Files.exists(folder.resolve("chat_template.jinja"))) {
            sources.put("default", text(folder.resolve("chat_template.jinja")));
        } else if (settings.get("chat_template") instanceof String s) {
            sources.put("default", s);
        } else if (settings.get("chat_template") instanceof List<?> named) {
            for (Object n : named) {
                if (n instanceof Map<?, ?> m) {
                    sources.put((String) m.get("name"), (String) m.get("template"));
                }
            }
        }
        CutTokens cuts = CutTokens.of(file.get("added_tokens") instanceof List<?> l ? l : List.of());
        NativeTokenizer tokenizer = NativeTokenizer.load(folder.resolve("tokenizer.json"));
        try {
            return new ModelPrompts(tokenizer, cuts, specials(settings), sources, clock);
        } catch (JinjaException e) {
            tokenizer.close();
            throw new IllegalArgumentException(
                    "the chat template uses something unknown (" + e.getMessage() + "): tokenizerFolder=" + folder, e);
        }
    }

    private static Map<String, Object> json(Path file) {
        try {
            return ChatBody.JSON.readValue(
                    file.toFile(),
                    ChatBody.JSON.getTypeFactory().constructMapType(LinkedHashMap.class, String.class, Object.class));
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot be read: file=" + file, e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot be read: chatTemplate=" + file, e);
        }
    }

    private static Map<String, Object> specials(Map<String, Object> settings) {
        Map<String, Object> out = new LinkedHashMap<>();
        for (String name : SPECIAL_NAMES) {
            switch (settings.get(name)) {
                case String s -> out.put(name, s);
                case Map<?, ?> m when m.get("content") instanceof String s -> out.put(name, s);
                case null, default -> {}
            }
        }
        if (settings.get("additional_special_tokens") instanceof List<?> more) {
            out.put("additional_special_tokens", more);
        }
        if (settings.get("extra_special_tokens") instanceof Map<?, ?> named) {
            named.forEach((k, v) -> out.put((String) k, v));
        }
        return out;
    }

    NativeTokenizer tokenizer() {
        return tokenizer;
    }

    CutTokens cuts() {
        return cuts;
    }

    boolean hasTemplate() {
        return !templates.isEmpty();
    }

    ChatBody chatBody() {
        return chatBody(dialect);
    }

    ChatBody chatBody(Dialect spoken) {
        return new ChatBody(format, spoken, reasoning);
    }

    Dialect dialect() {
        return dialect;
    }

    void speak(Dialect spoken) {
        dialect = spoken;
    }

    /**
     * The text that the engine tokenises.
     *
     * @throws JinjaException if the template refuses the conversation
     * @throws UnsupportedPrompt if the model has no template
     */
    String render(Conversation c) {
        JinjaTemplate template = c.tools() != null && templates.containsKey("tool_use")
                ? templates.get("tool_use")
                : templates.get("default");
        if (template == null) {
            throw new UnsupportedPrompt("the model has no chat template");
        }
        Map<String, Object> variables = new LinkedHashMap<>(specials);
        variables.put("documents", null);
        variables.putAll(c.variables());
        variables.put("messages", c.messages());
        variables.put("tools", c.tools());
        variables.put("add_generation_prompt", c.addGenerationPrompt());
        return template.render(variables);
    }

    @Override
    public void close() {
        tokenizer.close();
    }
}
