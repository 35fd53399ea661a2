package io.penstock.dataplane.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.bindings.kvhint.HintAction;
import io.penstock.bindings.kvhint.HintAnswer;
import io.penstock.bindings.kvhint.HintMessage;
import io.penstock.bindings.kvhint.HintOutcome;
import io.penstock.bindings.kvhint.HintText;
import io.penstock.bindings.kvhint.KvFetch;
import io.penstock.bindings.kvhint.RefusedHint;
import io.penstock.ffi.load.LibrarySpec;
import io.penstock.ffi.load.NativeLibrary;
import io.penstock.ffi.nixl.NixlAgent;
import io.penstock.ffi.nixl.NixlAgentSettings;
import io.penstock.ffi.nixl.NixlPeer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a receiver answers, over the real NIXL, to hints good and bad. */
class HintReceiverTest {
    private static final String HEAD = "{\"protocol_version\":\"0.1\",\"message_id\":\"m\",\"actions\":[";
    private static final String FETCH = "{\"action_id\":\"f\",\"action_type\":\"kv.fetch\",\"action_version\":\"1.0\","
            + "\"payload\":{\"source_control_endpoint\":\"tcp://a:1\",\"block_hashes\":[1,2,3]}}";

    private NixlAgent router;
    private NixlAgent engine;
    private NixlPeer peer;
    private HintMail mail;
    private HintReceiver receiver;
    private final List<KvFetch> fetched = new ArrayList<>();
    private final List<HintAnswer> answers = new ArrayList<>();
    private int takes = 3;

    @BeforeEach
    void open() {
        NativeLibrary library = NativeLibrary.of(LibrarySpec.NIXL);
        assumeTrue(library.isAvailable(), () -> "without NIXL: " + library.cause());
        router = NixlAgent.open(HintAgents.capi(), NixlAgentSettings.named("test-router"));
        engine = NixlAgent.open(HintAgents.capi(), NixlAgentSettings.named("test-engine"));
        engine.load(router.metadata());
        peer = router.load(engine.metadata());
        mail = new HintMail(router);
        receiver = new HintReceiver(engine, fetch -> {
            fetched.add(fetch);
            return takes;
        });
    }

    @AfterEach
    void close() {
        if (router != null) {
            router.close();
            engine.close();
            mail.close();
            receiver.close();
        }
    }

    /** Sends a message and waits for what is answered to it, or to the good one behind it. */
    private List<HintAnswer> answersTo(String message) {
        answers.clear();
        for (String next : List.of(
                message, HEAD.replace("\"m\"", "\"last\"") + "]}", HEAD.replace("\"m\"", "\"end\"") + FETCH + "]}")) {
            HintText text = new HintText().clear();
            text.raw(next.getBytes(StandardCharsets.UTF_8));
            assertTrue(mail.send(peer, text));
        }
        HintBench.until("the answer to the last", () -> {
            receiver.poll();
            mail.poll(this::answer);
            return !answers.isEmpty() && answers.getLast().messageId().equals("end");
        });
        return List.copyOf(answers.subList(0, answers.size() - 1));
    }

    private void answer(NixlPeer sender, byte[] bytes, int length) {
        try {
            for (HintAction action : HintMessage.decode(bytes, 0, length).actions()) {
                answers.add(HintAnswer.decode(action));
            }
        } catch (RefusedHint refused) {
            throw new AssertionError(new String(bytes, 0, length, StandardCharsets.UTF_8), refused);
        }
    }

    private static HintAnswer answer(String action, HintOutcome outcome, int blocks) {
        return new HintAnswer("m", action, outcome, blocks);
    }

    @Test
    void shouldSayHowMuchOfAFetchIsDone() {
        assertEquals(List.of(answer("f", HintOutcome.ACCEPTED, 3)), answersTo(HEAD + FETCH + "]}"));
        assertEquals("tcp://a:1", fetched.getFirst().sourceControlEndpoint());
        takes = 2;
        assertEquals(List.of(answer("f", HintOutcome.CLIPPED, 2)), answersTo(HEAD + FETCH + "]}"));
        takes = 0;
        assertEquals(List.of(answer("f", HintOutcome.IGNORED, 0)), answersTo(HEAD + FETCH + "]}"));
    }

    @Test
    void shouldTakeTheFirstFetchThatItCanUse() {
        String other = FETCH.replace("\"f\"", "\"v\"").replace("1.0", "2.0");
        String broken = FETCH.replace("\"f\"", "\"b\"").replace("[1,2,3]", "[-1]");
        String second = FETCH.replace("\"f\"", "\"s\"");
        String pin = "{\"action_id\":\"p\",\"action_type\":\"kv.pin\",\"action_version\":\"1.0\",\"payload\":{}}";
        assertEquals(
                List.of(
                        answer("v", HintOutcome.UNSUPPORTED, 0),
                        answer("b", HintOutcome.REJECTED, 0),
                        answer("f", HintOutcome.ACCEPTED, 3),
                        answer("s", HintOutcome.IGNORED, 0),
                        answer("p", HintOutcome.UNSUPPORTED, 0)),
                answersTo(HEAD + String.join(",", other, broken, FETCH, second, pin) + "]}"));
    }

    @Test
    void shouldAnswerWhatItCannotReadWhereThatNamesItself() {
        assertEquals(
                List.of(answer("", HintOutcome.UNSUPPORTED, 0)), answersTo(HEAD.replace("0.1", "0.2") + FETCH + "]}"));
        assertEquals(List.of(answer("", HintOutcome.REJECTED, 0)), answersTo(HEAD + "{\"action_id\":\"x\"}]}"));
        assertEquals(List.of(), answersTo("no hint at all"));
        assertEquals(List.of(), answersTo("\0\1\2"));
        assertEquals(0, receiver.undelivered());
    }
}
