package io.penstock.bindings.harness;

import static io.penstock.bindings.harness.IdentityHeaders.AFFINITY;
import static io.penstock.bindings.harness.IdentityHeaders.CLAUDE;
import static io.penstock.bindings.harness.IdentityHeaders.CLAUDE_AGENT;
import static io.penstock.bindings.harness.IdentityHeaders.CLAUDE_PARENT;
import static io.penstock.bindings.harness.IdentityHeaders.CODEX_PARENT;
import static io.penstock.bindings.harness.IdentityHeaders.DYNAMO;
import static io.penstock.bindings.harness.IdentityHeaders.DYNAMO_PARENT;
import static io.penstock.bindings.harness.IdentityHeaders.OPENCODE;
import static io.penstock.bindings.harness.IdentityHeaders.OPENCODE_PARENT;
import static io.penstock.bindings.harness.IdentityHeaders.SESSION;
import static io.penstock.bindings.harness.IdentityHeaders.SESSION_UNDERSCORE;
import static io.penstock.bindings.harness.IdentityHeaders.THREAD;

import java.util.List;
import java.util.Map;

/**
 * Which agent sends a request, as its harness names it. A session is one agent (root or subagent); a group is what root
 * and subagents have in common.
 *
 * <p>The first-class rules are Dynamo 1.6.1's: the canonical header wins with its own parent, else the first of Claude
 * Code, Codex and OpenCode whose session header is present wins as a whole. The fallbacks after them are ours and are
 * named by {@link #source}. A session that a client sets statically to one value collapses its agents into one.
 *
 * <p>Requests of one session may overlap, and one need not extend the one before.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param session the agent, or null
 * @param parent the agent that started it, or null
 * @param sessionFinal the terminal marker, or null
 * @param inputTrigger what made it send this; null without a session, or where the API has no such notion
 * @param agentHeaders the harness's own headers by lower-case name, verbatim; empty without a session
 * @param source where the identity was found
 * @param group name shared by a root and its subagents, or null
 */
public record AgentContext(
        String session,
        String parent,
        Boolean sessionFinal,
        InputTrigger inputTrigger,
        Map<String, List<String>> agentHeaders,
        IdentitySource source,
        String group) {

    /** A request that names nobody. */
    public static final AgentContext NONE =
            new AgentContext(null, null, null, null, Map.of(), IdentitySource.NONE, null);

    /**
     * The context of a request.
     *
     * @param trigger of the original body, or null
     * @param body names found in the body
     * @return never null; {@link #NONE} when nothing was found
     */
    public static AgentContext of(HeaderFields fields, InputTrigger trigger, BodyIdentity body) {
        IdentityHeaders headers = new IdentityHeaders(fields);
        String bodyGroup = SessionGroup.of(body);
        IdentitySource source = source(headers);
        if (source == IdentitySource.NONE) {
            return bodyGroup == null
                    ? NONE
                    : new AgentContext(null, null, null, null, Map.of(), IdentitySource.BODY, bodyGroup);
        }
        String session = session(headers, source);
        return new AgentContext(
                session,
                parent(headers, source, session),
                headers.sessionFinal(),
                trigger,
                AgentHeaders.of(fields, headers.value(THREAD) != null),
                source,
                group(headers, source, bodyGroup));
    }

    /** Whether the request names an agent. */
    public boolean hasSession() {
        return session != null;
    }

    private static IdentitySource source(IdentityHeaders headers) {
        for (IdentitySource source : IdentitySource.values()) {
            int header = sessionHeader(source);
            if (header >= 0 && headers.value(header) != null) {
                return source;
            }
        }
        return IdentitySource.NONE;
    }

    private static int sessionHeader(IdentitySource source) {
        return switch (source) {
            case DYNAMO -> DYNAMO;
            case CLAUDE_CODE -> CLAUDE;
            case CODEX -> THREAD;
            case OPENCODE -> OPENCODE;
            case SESSION_AFFINITY -> AFFINITY;
            case SESSION_ID -> SESSION;
            case SESSION_ID_UNDERSCORE -> SESSION_UNDERSCORE;
            case BODY, NONE -> -1;
        };
    }

    private static String session(IdentityHeaders headers, IdentitySource source) {
        String agent = source == IdentitySource.CLAUDE_CODE ? headers.value(CLAUDE_AGENT) : null;
        return agent != null ? agent : headers.value(sessionHeader(source));
    }

    private static String parent(IdentityHeaders headers, IdentitySource source, String session) {
        String parent = switch (source) {
            case DYNAMO -> headers.value(DYNAMO_PARENT);
            case CLAUDE_CODE -> headers.value(CLAUDE_PARENT);
            case CODEX -> headers.value(CODEX_PARENT);
            case OPENCODE -> headers.value(OPENCODE_PARENT);
            default -> null;
        };
        if (session.equals(parent)) {
            parent = null;
        }
        if (source == IdentitySource.CLAUDE_CODE) {
            // A root turn has no parent; a child of the first level does not name it.
            String root = headers.value(CLAUDE);
            return session.equals(root) ? null : parent == null ? root : parent;
        }
        return parent;
    }

    private static String group(IdentityHeaders headers, IdentitySource source, String bodyGroup) {
        String own = switch (source) {
            case CLAUDE_CODE -> headers.value(CLAUDE);
            case CODEX -> headers.value(SESSION);
            default -> null;
        };
        return own != null ? own : bodyGroup;
    }
}
