package io.penstock.dataplane.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerHintsTest {
    @Test
    void shouldGiveEachRankItsPart() {
        WorkerHints hints = new WorkerHints(
                HintWay.NIXL,
                "decode",
                List.of("tcp://h:1", "tcp://[::1]:2"),
                List.of("a@10.0.0.1:8890", "b@[::1]:8891"));
        assertNull(hints.problem(2));
        assertEquals(new HintSite(HintWay.NIXL, "decode", "tcp://[::1]:2", "b", "[::1]", 8891), hints.site(1, 2));
        assertEquals(2, hints.agentSites().size());
    }

    @Test
    void shouldTakeNoPartWhereTheListsDoNotFitTheRanks() {
        WorkerHints hints = new WorkerHints(HintWay.REQUEST, null, List.of("tcp://h:1"), null);
        assertEquals("hints need an entry a rank: ranks=2, sources=1, agents=0", hints.problem(2));
        assertSame(HintSite.NONE, hints.site(0, 2));
        assertNull(hints.problem(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"h:1", "http://h:1", "tcp://h", "tcp://h:1/x", ""})
    void shouldRefuseWhatIsNoEndpoint(String source) {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> new WorkerHints(HintWay.NONE, "", List.of(source), null));
        assertEquals("not of the form tcp://host:port: hints.sources=" + source, refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a@h", "@h:1", "a@h:0", "a@h:65536"})
    void shouldRefuseWhatIsNoAgent(String agent) {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> new WorkerHints(HintWay.NIXL, "", null, List.of(agent)));
        assertEquals("not of the form name@host:port: hints.agents=" + agent, refused.getMessage());
    }

    @Test
    void shouldRefuseNotificationsWithoutAgentsAndAgentsWithoutNotifications() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> new WorkerHints(HintWay.NIXL, "", null, null))
                .getMessage()
                .endsWith("hints.take=nixl"));
        assertThrows(
                IllegalArgumentException.class, () -> new WorkerHints(HintWay.REQUEST, "", null, List.of("a@h:1")));
    }
}
