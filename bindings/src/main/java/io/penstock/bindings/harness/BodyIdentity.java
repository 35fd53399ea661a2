package io.penstock.bindings.harness;

/**
 * What a request body says about who sends it. None of it names a single agent: root and subagents share it, so it is
 * good for a group and not for a session.
 *
 * @param promptCacheKey {@code prompt_cache_key}, or null
 * @param clientSession {@code client_metadata.session_id}, or null
 * @param userId {@code metadata.user_id}, or null
 */
public record BodyIdentity(String promptCacheKey, String clientSession, String userId) {
    /** A body that says nothing. */
    public static final BodyIdentity NONE = new BodyIdentity(null, null, null);
}
