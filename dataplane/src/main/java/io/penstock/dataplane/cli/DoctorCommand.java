package io.penstock.dataplane.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.RouterConfig;
import io.penstock.dataplane.config.ConfigFile;
import io.penstock.dataplane.libraries.LibrariesConfig;
import io.penstock.dataplane.libraries.LibraryReport;
import io.penstock.ffi.load.LibrarySpec;
import io.penstock.ffi.load.NativeLibrary;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code penstock doctor}: which native libraries a router of this configuration would have, and what to install.
 *
 * <p>An absent library is no failure: a router works without each of them. A file that was given or found and cannot be used
 * is one.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "doctor",
        description = "Says which native libraries are found, in which version, and what to install for the others.",
        exitCodeListHeading = "Exit status:%n",
        exitCodeList = {
            "0:each library is found, or absent without having been named",
            "1:a library that the configuration names is absent, or a file that was found cannot be used",
            "2:bad arguments or configuration"
        },
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
    /** Exit status where something is not as it was meant to be. */
    static final int ILL = 1;

    /** Asked for a hint only, where the configuration names no interpreter. */
    private static final String USUAL_PYTHON = "python3";

    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "YAML configuration of the router.")
    private Path config;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Sets one key, such as libraries.python=/opt/venv/bin/python; repeatable.")
    private List<String> sets = new ArrayList<>();

    @Option(names = "--python", paramLabel = "PYTHON", description = "Interpreter to search: libraries.python.")
    private String python;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    @Override
    public Integer call() throws JsonProcessingException {
        List<String> overrides = new ArrayList<>(sets);
        if (python != null) {
            overrides.add("libraries.python=" + python);
        }
        LibrariesConfig libraries =
                ConfigFile.read(RouterConfig.defaults(), config, overrides).libraries();
        List<LibraryReport> reports = new ArrayList<>();
        Map<String, String> hints = new LinkedHashMap<>();
        boolean ill = false;
        for (LibrarySpec library : LibrarySpec.ALL) {
            var search = libraries.search(library);
            LibraryReport report = LibraryReport.of(NativeLibrary.find(library, search));
            reports.add(report);
            ill |= report.unusable() || (!report.found() && search.library() != null);
            if (!report.found() && search.library() == null && search.python() == null) {
                Path packaged = NativeLibrary.packagedIn(library, USUAL_PYTHON);
                if (packaged != null) {
                    hints.put(
                            report.name(), "set libraries.python=" + USUAL_PYTHON + ", its packages have " + packaged);
                }
            }
        }
        reports.add(LibraryReport.zmq());
        print(reports, hints);
        return ill ? ILL : CommandLine.ExitCode.OK;
    }

    private void print(List<LibraryReport> reports, Map<String, String> hints) throws JsonProcessingException {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            List<Map<String, Object>> members = new ArrayList<>();
            for (LibraryReport report : reports) {
                Map<String, Object> member = report.toMap();
                member.computeIfPresent("install", (key, usual) -> hints.getOrDefault(report.name(), (String) usual));
                members.add(member);
            }
            out.println(new ObjectMapper().writeValueAsString(Map.of("libraries", members)));
        } else {
            for (LibraryReport report : reports) {
                line(out, report.name(), report.state() + (report.found() ? ", version " + report.version() : ""));
                line(out, "", report.found() ? report.path() : report.cause());
                if (!report.found()) {
                    line(out, "", "without it: " + report.without());
                    line(out, "", "to have it: " + hints.getOrDefault(report.name(), report.install()));
                }
            }
        }
        out.flush();
    }

    private static void line(PrintWriter out, String name, String text) {
        out.printf("%-16s %s%n", name, text);
    }
}
