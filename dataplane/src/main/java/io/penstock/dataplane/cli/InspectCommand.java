package io.penstock.dataplane.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.index.inspect.DiffAnswer;
import io.penstock.index.inspect.IndexInspection;
import io.penstock.index.inspect.VerifyAnswer;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code penstock inspect}: what an index file holds, while a router runs on it, after that was killed, or on a copy.
 *
 * <p>Each option asks one question; without any the summary is given. {@code --json} prints one object with a member for
 * each question, in the shape of the records of {@code io.penstock.index.inspect}.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "inspect",
        description = {
            "Says what an index file holds: of a running router, of a killed one, or a copy. Nothing is written or locked.",
            "Hashes are sequence hashes or engines' hashes, decimal (signed or not) or hexadecimal with 0x."
        },
        exitCodeListHeading = "Exit status:%n",
        exitCodeList = {
            "0:answered",
            "1:--verify found damage or a file that changes, or --diff found a difference",
            "2:bad arguments, or not an index file"
        },
        mixinStandardHelpOptions = true)
final class InspectCommand implements Callable<Integer> {
    /** Exit status when the check found damage, or the files differ. */
    static final int FOUND = 1;

    private static final int TREE_LINES = 40;

    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "Index file: data/index/*.pst of the router.")
    private Path file;

    @Option(names = "--worker", paramLabel = "NAME", description = "What a worker has, rank by rank.")
    private String worker;

    @Option(names = "--block", paramLabel = "HASH", description = "Where a block stands and who has it.")
    private String block;

    @Option(
            names = "--prefix",
            paramLabel = "HASH",
            arity = "1..*",
            description = "Who has how much of a prefix: its sequence hashes, root first.")
    private List<String> prefix = new ArrayList<>();

    @Option(names = "--top", paramLabel = "N", description = "The N most shared prefixes.")
    private Integer top;

    @Option(
            names = "--tree",
            paramLabel = "LINES",
            arity = "0..1",
            fallbackValue = "" + TREE_LINES,
            description = "The largest branches, in LINES lines (${FALLBACK-VALUE}).")
    private Integer tree;

    @Option(names = "--verify", description = "Checks everything that the format promises; the file must stand still.")
    private boolean verify;

    @Option(names = "--diff", paramLabel = "OTHER", description = "What another index file has more and less.")
    private Path other;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        positive(top, "--top");
        positive(tree, "--tree");
        long[] asked = prefix.stream().mapToLong(InspectCommand::hash).toArray();
        try {
            return answer(asked);
        } catch (InternalError fault) {
            // The JVM's word for a mapped page that is gone.
            throw new IllegalArgumentException("index file was cut while it was read: file=" + file, fault);
        }
    }

    private int answer(long[] asked) {
        Map<String, Object> answers = new LinkedHashMap<>();
        try (IndexInspection inspection = open(file)) {
            ask(inspection, asked, answers);
            if (other != null) {
                try (IndexInspection second = open(other)) {
                    answers.put("diff", inspection.diff(second));
                }
            }
            if (answers.isEmpty()) {
                answers.put("summary", inspection.summary());
            }
        }
        print(answers);
        boolean unsound = answers.get("verify") instanceof VerifyAnswer answer && !answer.sound();
        boolean differs = answers.get("diff") instanceof DiffAnswer answer && !answer.same();
        return unsound || differs ? FOUND : CommandLine.ExitCode.OK;
    }

    private void ask(IndexInspection inspection, long[] asked, Map<String, Object> answers) {
        if (worker != null) {
            answers.put("worker", inspection.worker(worker));
        }
        if (block != null) {
            answers.put("block", inspection.block(hash(block)));
        }
        if (asked.length > 0) {
            answers.put("prefix", inspection.prefix(asked));
        }
        if (top != null) {
            answers.put("top", inspection.top(top));
        }
        if (tree != null) {
            answers.put("tree", inspection.tree(tree));
        }
        if (verify) {
            answers.put("verify", inspection.verify());
        }
    }

    private void print(Map<String, Object> answers) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            try {
                out.println(new ObjectMapper().writeValueAsString(answers));
            } catch (JsonProcessingException impossible) {
                throw new IllegalStateException("an answer is not JSON", impossible);
            }
        } else {
            InspectText text = new InspectText(out);
            answers.values().forEach(text::print);
        }
        out.flush();
    }

    private static IndexInspection open(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("no such index file: file=" + file);
        }
        return IndexInspection.open(file);
    }

    private static void positive(Integer count, String option) {
        if (count != null && count < 1) {
            throw new IllegalArgumentException("must be positive: " + option + "=" + count);
        }
    }

    /** Decimal, signed or unsigned, or hexadecimal with 0x. */
    static long hash(String text) {
        try {
            if (text.startsWith("0x") || text.startsWith("0X")) {
                return Long.parseUnsignedLong(text.substring(2), 16);
            }
            return text.startsWith("-") ? Long.parseLong(text) : Long.parseUnsignedLong(text);
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException("not a 64-bit hash, decimal or hexadecimal with 0x: hash=" + text, none);
        }
    }
}
