package io.penstock.dataplane.workers;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A worker's part in KvHints; the default is none. Dynamo's runtime keys {@code router_hint}, {@code
 * router_hint_worker_type} and {@code router_hint_source_control_endpoints} say the same.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param take how it is told what to fetch: {@code none}, {@code nixl} or {@code request}
 * @param type kind of worker; hints name only sources of the same kind
 * @param sources control endpoint of each rank, {@code tcp://host:port}, where others fetch its blocks; none = it is no source
 * @param agents NIXL agent of each rank, {@code name@host:port}, for {@code take: nixl}; the port is that of its listener
 */
public record WorkerHints(HintWay take, String type, List<String> sources, List<String> agents) {
    /** Takes none, gives none. */
    public static final WorkerHints NONE = new WorkerHints(HintWay.NONE, "", List.of(), List.of());

    private static final Pattern SOURCE = Pattern.compile("tcp://[^/\\s:]+:\\d{1,5}|tcp://\\[[^\\]\\s]+]:\\d{1,5}");
    private static final Pattern AGENT = Pattern.compile("([^@\\s]+)@([^\\s]+):(\\d{1,5})");
    private static final int MAX_PORT = 65_535;

    /** What holds for keys that are not given. */
    public static WorkerHints defaults() {
        return NONE;
    }

    /** Fills what was left out and refuses what cannot work. */
    public WorkerHints {
        take = take == null ? HintWay.NONE : take;
        type = type == null ? "" : type;
        sources = sources == null ? List.of() : List.copyOf(sources);
        agents = agents == null ? List.of() : List.copyOf(agents);
        for (String source : sources) {
            if (!SOURCE.matcher(source).matches()) {
                throw new IllegalArgumentException("not of the form tcp://host:port: hints.sources=" + source);
            }
        }
        for (String agent : agents) {
            Matcher parts = AGENT.matcher(agent);
            if (!parts.matches() || port(parts) < 1 || port(parts) > MAX_PORT) {
                throw new IllegalArgumentException("not of the form name@host:port: hints.agents=" + agent);
            }
        }
        if ((take == HintWay.NIXL) == agents.isEmpty()) {
            throw new IllegalArgumentException("agents are for take: nixl, and needed there: hints.take="
                    + take.name().toLowerCase(Locale.ROOT));
        }
    }

    private static int port(Matcher agent) {
        return Integer.parseInt(agent.group(3));
    }

    /** Why that many ranks do not fit, in one line, or null. */
    String problem(int dpSize) {
        boolean fits = (sources.isEmpty() || sources.size() == dpSize) && (agents.isEmpty() || agents.size() == dpSize);
        return fits
                ? null
                : "hints need an entry a rank: ranks=" + dpSize + ", sources=" + sources.size() + ", agents="
                        + agents.size();
    }

    /** The parts of all ranks that have an agent. */
    public List<HintSite> agentSites() {
        return IntStream.range(0, agents.size())
                .mapToObj(rank -> site(rank, agents.size()))
                .filter(site -> site.agent() != null)
                .toList();
    }

    /** The part of one rank; none where {@link #problem} says that the lists do not fit. */
    HintSite site(int rank, int dpSize) {
        if (this == NONE || problem(dpSize) != null) {
            return HintSite.NONE;
        }
        Matcher agent = agents.isEmpty() ? null : AGENT.matcher(agents.get(rank));
        boolean named = agent != null && agent.matches();
        return new HintSite(
                take,
                type,
                sources.isEmpty() ? null : sources.get(rank),
                named ? agent.group(1) : null,
                named ? agent.group(2) : null,
                named ? port(agent) : 0);
    }
}
