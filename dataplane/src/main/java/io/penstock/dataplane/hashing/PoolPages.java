package io.penstock.dataplane.hashing;

/**
 * How the pages of one model's prompts are keyed in a shared pool.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param pool the pool's number
 * @param hasher of prompts without a salt; another object whenever the layout is another
 */
public record PoolPages(int pool, PageHasher hasher) {
    /** Where the keys' rule of a model stands; read once a prompt, by any thread. */
    @FunctionalInterface
    public interface Source {
        /** No model has a pool. */
        Source NONE = model -> null;

        /** The rule of a model, or null where it has no pool or the keys cannot be told. */
        PoolPages of(String model);
    }
}
