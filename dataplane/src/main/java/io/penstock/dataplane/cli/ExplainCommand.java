package io.penstock.dataplane.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.inputlog.Explained;
import io.penstock.dataplane.inputlog.Explainer;
import io.penstock.dataplane.routing.PolicyKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code penstock explain}: decides a logged request again, by the serving core from the last checkpoint on, and says why.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "explain",
        description = {
            "Decides a request again from the input log (inputLog.enabled), as the router did, and says why.",
            "SEQ is 'seq' of GET /decisions, and x-penstock-seq of an answer asked for with x-penstock-explain: 1.",
            "Exit 3: the decision made again is not the one of then."
        },
        mixinStandardHelpOptions = true)
final class ExplainCommand implements Callable<Integer> {
    /** Exit status when a decision is not what it was. */
    static final int DIFFERS = 3;

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "SEQ", description = "The request's number.")
    private Long seq;

    @Option(
            names = "--log",
            paramLabel = "FOLDER",
            defaultValue = "data/inputlog",
            description = "The log's folder (${DEFAULT-VALUE}).")
    private Path log;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            description = "What another policy would have done: kv, round-robin, least-loaded, random.")
    private String policy;

    @Option(names = "--all", description = "Decides all requests of the log again and counts those that are equal.")
    private boolean all;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        if (all == (seq != null)) {
            throw new IllegalArgumentException("either SEQ or --all is expected: SEQ=" + seq + ", --all=" + all);
        }
        PolicyKind other = policy == null ? null : PolicyKind.of(policy);
        if (policy != null && other == null) {
            throw new IllegalArgumentException("not one of "
                    + Arrays.stream(PolicyKind.values()).map(PolicyKind::label).collect(Collectors.joining(", "))
                    + ": --policy=" + policy);
        }
        Explainer explainer = new Explainer(log);
        PrintWriter out = spec.commandLine().getOut();
        boolean same = all ? verified(explainer, out) : explained(explainer, other, out);
        out.flush();
        return same ? CommandLine.ExitCode.OK : DIFFERS;
    }

    private boolean explained(Explainer explainer, PolicyKind other, PrintWriter out) throws IOException {
        Explained answer = explainer.explain(seq, other);
        if (json) {
            json(answer, out);
        } else {
            new ExplainText(out).print(answer);
        }
        return answer.equal() || !answer.logged();
    }

    private boolean verified(Explainer explainer, PrintWriter out) throws IOException {
        Explainer.Verified answer = explainer.verify();
        if (json) {
            json(answer, out);
        } else {
            out.println(answer.equal() + " of " + answer.decisions() + " decisions are made again byte for byte, from "
                    + answer.stretches() + " starts");
            if (answer.firstDifferent() >= 0) {
                out.println("first that differs: seq=" + answer.firstDifferent());
            }
            answer.obstacles().forEach(each -> out.println("nothing is claimed after: " + each));
        }
        return answer.equal() == answer.decisions();
    }

    private static void json(Object answer, PrintWriter out) {
        try {
            out.println(new ObjectMapper().writeValueAsString(answer));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("an answer is not JSON", impossible);
        }
    }
}
