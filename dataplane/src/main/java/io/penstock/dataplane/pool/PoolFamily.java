package io.penstock.dataplane.pool;

/** Whose way of naming pages and objects it is. */
public enum PoolFamily {
    /** SGLang's hierarchical cache; what is not given is asked of the engines. */
    SGLANG,
    /** vLLM's store connector. */
    VLLM
}
