package io.penstock.dataplane.hints;

import io.penstock.bindings.kvhint.HintAction;
import io.penstock.bindings.kvhint.HintAnswer;
import io.penstock.bindings.kvhint.HintMessage;
import io.penstock.bindings.kvhint.HintOutcome;
import io.penstock.bindings.kvhint.HintText;
import io.penstock.bindings.kvhint.KvFetch;
import io.penstock.bindings.kvhint.RefusedHint;
import io.penstock.ffi.nixl.NixlAgent;
import io.penstock.ffi.nixl.NixlPeer;
import java.util.ArrayList;
import java.util.List;

/**
 * The engine's side: takes hints that come as NIXL notifications, has them done and answers what became of each action.
 *
 * <p>Of several fetches in a message the first that is done, or done in part, is the last; the others are ignored. Whatever cannot
 * be read is answered where it names its message, and otherwise left.
 *
 * <p><b>Threading:</b> owned by the thread that polls.
 */
public final class HintReceiver implements AutoCloseable {
    /** The engine. */
    @FunctionalInterface
    public interface Engine {
        /**
         * Fetches what it lacks of these blocks, or begins to.
         *
         * @return blocks, from the first on, that it has or will have; 0 = it leaves the hint alone
         */
        int fetch(KvFetch fetch);
    }

    private final HintMail mail;
    private final Engine engine;
    private final String name;
    private final HintMail.Handler handler = this::received;
    private final HintText text = new HintText();
    private final List<HintAnswer> answers = new ArrayList<>();
    private long answered;
    private long undelivered;

    /** A receiver at an agent, of which nobody else may take notifications. */
    public HintReceiver(NixlAgent agent, Engine engine) {
        this.mail = new HintMail(agent);
        this.engine = engine;
        this.name = agent.name();
    }

    /** Takes what has come in; answers how many messages. */
    public int poll() {
        return mail.poll(handler);
    }

    /** Answers that could not be given back. */
    public long undelivered() {
        return undelivered;
    }

    private void received(NixlPeer sender, byte[] bytes, int length) {
        answers.clear();
        try {
            HintMessage message = HintMessage.decode(bytes, 0, length);
            boolean fetched = false;
            for (HintAction action : message.actions()) {
                HintAnswer answer = done(message.id(), action, fetched);
                fetched |= answer.blocks() > 0;
                answers.add(answer);
            }
        } catch (RefusedHint refused) {
            if (refused.messageId() != null) {
                answers.add(new HintAnswer(refused.messageId(), "", refused.outcome(), 0));
            }
        }
        if (!answers.isEmpty()) {
            answer(sender);
        }
    }

    private HintAnswer done(String messageId, HintAction action, boolean fetched) {
        if (!action.is(KvFetch.TYPE, KvFetch.VERSION)) {
            return new HintAnswer(messageId, action.id(), HintOutcome.UNSUPPORTED, 0);
        }
        if (fetched) {
            return new HintAnswer(messageId, action.id(), HintOutcome.IGNORED, 0);
        }
        try {
            KvFetch fetch = KvFetch.decode(action);
            int wanted = fetch.blockHashes().length;
            int blocks = Math.clamp(engine.fetch(fetch), 0, wanted);
            HintOutcome outcome =
                    blocks == 0 ? HintOutcome.IGNORED : blocks == wanted ? HintOutcome.ACCEPTED : HintOutcome.CLIPPED;
            return new HintAnswer(messageId, action.id(), outcome, blocks);
        } catch (RefusedHint refused) {
            return new HintAnswer(messageId, action.id(), refused.outcome(), 0);
        }
    }

    private void answer(NixlPeer sender) {
        text.beginMessage(name, ++answered);
        for (int i = 0; i < answers.size(); i++) {
            answers.get(i).encode(text, Integer.toString(i));
        }
        text.endMessage();
        if (!mail.send(sender, text)) {
            undelivered++;
        }
    }

    @Override
    public void close() {
        mail.close();
    }
}
