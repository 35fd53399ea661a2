package io.penstock.dataplane.cli;

import io.penstock.dataplane.inputlog.Explained;
import io.penstock.dataplane.routing.KvTerms;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;

/**
 * A decision made again, for people.
 *
 * <p><b>Threading:</b> main thread.
 */
final class ExplainText {
    private final PrintWriter out;

    ExplainText(PrintWriter out) {
        this.out = out;
    }

    void print(Explained e) {
        out.println("request " + e.seq() + " of " + Instant.ofEpochMilli(e.timeMs()) + ": " + e.promptTokens()
                + " tokens, policy " + e.policy());
        out.println("replayed " + e.inputs() + " inputs from the " + e.replayedFrom() + "; " + e.equalBefore() + " of "
                + e.decisionsBefore() + " decisions before it are equal, byte for byte");
        out.println(equality(e));
        String result = e.worker() == null ? e.status() : e.worker();
        out.println(result + ": " + e.why());
        if (e.worker() != null) {
            out.println("predicted as cached: " + e.predictedCachedTokens() + " tokens; blocks of the prompt: "
                    + e.blocks() + "; waited " + e.waitNs() / 1_000 + " us; lots from " + e.randomState());
            candidates(e);
        }
        if (e.other() != null) {
            other(e.other());
        }
    }

    private static String equality(Explained e) {
        if (!e.logged()) {
            return "the log does not hold the decision of then; this is what follows from what it holds";
        }
        return e.equal() ? "equal to the decision of then, byte for byte" : "DIFFERS from the decision of then";
    }

    private void candidates(Explained e) {
        out.println();
        out.printf(
                "  %-20s %10s %8s %8s %8s %8s %9s %10s %8s %7s%n",
                "candidate", "cost", "device", "host", "disk", "external", "assumed", "prefill tk", "decode", "active");
        for (Explained.Candidate c : e.candidates()) {
            out.printf(
                    Locale.ROOT,
                    "%s %-20s %10.2f %8d %8d %8d %8d %9d %10d %8d %7d%n",
                    c.chosen() ? "*" : " ",
                    c.worker(),
                    c.cost(),
                    c.device(),
                    c.host(),
                    c.disk(),
                    c.external(),
                    c.predicted(),
                    c.prefillTokens(),
                    c.decodeBlocks(),
                    c.activeRequests());
        }
        if (e.candidates().getFirst().terms() == null) {
            return;
        }
        out.println();
        out.printf(
                "  %-20s %10s %8s %8s %8s %8s %8s %8s %7s %6s%n",
                "cost in blocks",
                "prefill",
                "-device",
                "-host",
                "-disk",
                "-shared",
                "+decode",
                "+active",
                "*taint",
                "trust");
        for (Explained.Candidate c : e.candidates()) {
            terms(c, c.terms());
        }
    }

    private void terms(Explained.Candidate c, KvTerms t) {
        out.printf(
                Locale.ROOT,
                "%s %-20s %10.2f %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f %7.3f %6.3f%n",
                c.chosen() ? "*" : " ",
                c.worker(),
                t.prefillBlocks(),
                t.deviceCredit(),
                t.hostCredit(),
                t.diskCredit(),
                t.sharedCredit(),
                t.decodeBlocks(),
                t.requestBlocks(),
                t.taintFactor(),
                c.trust());
    }

    private void other(Explained.Other o) {
        out.println();
        out.println("with policy " + o.policy() + ": " + (o.worker() == null ? o.status() : o.worker())
                + (o.same() ? ", the same" : "") + "; predicted as cached: " + o.predictedCachedTokens() + " tokens; "
                + o.why());
    }
}
