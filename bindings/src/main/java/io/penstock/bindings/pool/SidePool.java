package io.penstock.bindings.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A pool of SGLang's that keeps more of a page than its keys and values: states of Mamba layers, an indexer, a draft
 * model's cache, a sliding window.
 *
 * @param name as SGLang calls it: {@code mamba}, {@code swa}, {@code draft}, {@code draft_swa}, {@code indexer}, {@code
 *     deepseek_v4_c4}, ...
 * @param form what its objects are
 * @param parts convolution states of a Mamba pool, else unused
 */
public record SidePool(String name, Form form, int parts) {
    /** Which objects a side pool has of a page. */
    public enum Form {
        /** One for all ranks of a stage: {@code _{pp}_{name}}. */
        REPLICATED,
        /** The same with {@code _k} behind: the draft pool of an MLA draft model. */
        REPLICATED_K,
        /** Keys and values of each rank: {@code _{rank}_{name}_k} and {@code _v}. */
        KEYS_VALUES,
        /** Of each rank a state and convolution states: {@code _{rank}_temporal}, {@code _{rank}_conv_{i}}. */
        MAMBA,
        /** The same without the state, for models that have convolutions only. */
        CONVOLUTIONS
    }

    /** Checks the range. */
    public SidePool {
        boolean mamba = form == Form.MAMBA || form == Form.CONVOLUTIONS;
        if (parts < 0 || parts > 32 || (form == Form.CONVOLUTIONS && parts == 0)) {
            throw new IllegalArgumentException("not a number of convolution states: parts=" + parts);
        }
        if (!mamba && (name == null || name.isEmpty())) {
            throw new IllegalArgumentException("a side pool needs its name: name=" + name);
        }
    }

    /**
     * Reads {@code NAME:FORM[:PARTS]}, as {@code indexer:replicated}, {@code swa:keys-values}, {@code mamba:mamba:1}.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static SidePool parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length < 2 || parts.length > 3) {
            throw new IllegalArgumentException("not NAME:FORM[:PARTS]: sidePool=" + text);
        }
        try {
            Form form = Form.valueOf(parts[1].toUpperCase(Locale.ROOT).replace('-', '_'));
            return new SidePool(parts[0], form, parts.length == 3 ? Integer.parseInt(parts[2]) : 0);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("not NAME:FORM[:PARTS]: sidePool=" + text, e);
        }
    }

    boolean isPerRank() {
        return form == Form.KEYS_VALUES || form == Form.MAMBA || form == Form.CONVOLUTIONS;
    }

    /** What follows the rank in the names of the pool's objects. */
    List<String> suffixes() {
        return switch (form) {
            case REPLICATED -> List.of("_" + name);
            case REPLICATED_K -> List.of("_" + name + "_k");
            case KEYS_VALUES -> List.of("_" + name + "_k", "_" + name + "_v");
            case MAMBA, CONVOLUTIONS -> mamba();
        };
    }

    private List<String> mamba() {
        List<String> all = new ArrayList<>();
        if (form == Form.MAMBA) {
            all.add("_temporal");
        }
        for (int i = 0; i < parts; i++) {
            all.add("_conv_" + i);
        }
        return List.copyOf(all);
    }
}
