package io.penstock.dataplane.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.RouterConfig;
import io.penstock.dataplane.config.ConfigFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class RouteCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    @Test
    void shouldReadTheConfigurationThatItPrints() throws Exception {
        assertEquals(0, run("route", "--print-config"), err.toString());
        Path printed = Files.writeString(folder.resolve("printed.yaml"), out.toString());
        assertEquals(RouterConfig.defaults(), ConfigFile.read(RouterConfig.defaults(), printed, List.of()));
    }

    @Test
    void shouldPreferNamedFlagsToSetsAndSetsToTheFile() throws Exception {
        Path file = Files.writeString(folder.resolve("penstock.yaml"), """
                http: {port: 1, adminPort: 2}
                routing: {policy: random, temperature: 0.5}
                workers: [{url: "http://a:1", engine: sglang}]
                """);
        assertEquals(
                0,
                run(
                        "route",
                        "-c",
                        file.toString(),
                        "--set",
                        "http.port=3",
                        "--set",
                        "http.adminPort=4",
                        "--port",
                        "5",
                        "--policy",
                        "least-loaded",
                        "--worker",
                        "http://b:2",
                        "http://c:3",
                        "--print-config"),
                err.toString());
        Path printed = Files.writeString(folder.resolve("printed.yaml"), out.toString());
        RouterConfig effective = ConfigFile.read(RouterConfig.defaults(), printed, List.of());
        assertEquals(5, effective.http().port());
        assertEquals(4, effective.http().adminPort());
        assertEquals("least-loaded", effective.routing().policy().label());
        assertEquals(0.5, effective.routing().temperature());
        assertEquals(
                List.of("http://a:1", "http://b:2", "http://c:3"),
                effective.workers().stream().map(w -> w.url()).toList());
        assertEquals("sglang", effective.workers().getFirst().engine());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    routing.overlpCredit=1   | unknown key: routing.overlpCredit
                    http.port=abc            | bad value: http.port=abc (a whole number is expected)
                    http.port=70000          | not in 0..65535: port=70000
                    routing.policy=fastest   | bad value: routing.policy=fastest (one of kv, round-robin, least-loaded, random is expected)
                    workers=[{name: a}]      | a worker needs a URL: url=null
                    pipeline.waitStrategy=x  | bad value: pipeline.waitStrategy=x
                    """)
    void shouldSayInOneLineWhatIsWrongAndExitWithTwo(String set, String message) {
        assertEquals(2, run("route", "--set", set, "--print-config"));
        assertTrue(err.toString().startsWith(message), err.toString());
        assertEquals(1, err.toString().lines().count());
    }

    @Test
    void shouldNameTheConfigurationFileWhenItIsAbsent() {
        assertEquals(2, run("route", "--config", "/no/such.yaml"));
        assertEquals(
                "no such configuration file: file=/no/such.yaml", err.toString().strip());
    }

    private int run(String... args) {
        CommandLine line = Penstock.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(args);
    }
}
