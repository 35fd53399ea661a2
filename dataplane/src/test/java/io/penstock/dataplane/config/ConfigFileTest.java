package io.penstock.dataplane.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.dataplane.routing.PolicyKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConfigFileTest {
    /** A configuration with a component of every kind that rooms use. */
    record Sample(Http http, PolicyKind policy, List<Node> nodes, Map<String, Double> weights, long capacityBytes) {
        static Sample defaults() {
            return new Sample(
                    new Http("0.0.0.0", 8000, true, 1.5), PolicyKind.KV, List.of(), Map.of("host", 0.5), 1L << 40);
        }
    }

    record Http(String host, int port, boolean keepAlive, double factor) {
        Http {
            if (port < 0 || port > 65_535) {
                throw new IllegalArgumentException("no such port: http.port=" + port);
            }
        }
    }

    record Node(String url, int rank, List<String> labels) {}

    @TempDir
    Path folder;

    @Test
    void shouldKeepDefaultsWhenNothingIsGiven() {
        Sample defaults = Sample.defaults();
        assertSame(defaults, ConfigFile.read(defaults, null, List.of()));
    }

    @Test
    void shouldKeepDefaultsWhenFileIsEmpty() throws Exception {
        assertEquals(Sample.defaults(), ConfigFile.read(Sample.defaults(), file("# nothing\n"), List.of()));
    }

    @Test
    void shouldReplaceOnlyGivenKeys() throws Exception {
        Path file = file("""
                http:
                  port: 9000
                policy: round-robin
                nodes:
                  - url: http://a
                    labels: [x, y]
                  - {url: "http://b", rank: 2}
                weights: {disk: 0.25}
                """);
        Sample read = ConfigFile.read(Sample.defaults(), file, List.of());
        assertEquals(new Http("0.0.0.0", 9000, true, 1.5), read.http());
        assertEquals(PolicyKind.ROUND_ROBIN, read.policy());
        assertEquals(List.of(new Node("http://a", 0, List.of("x", "y")), new Node("http://b", 2, null)), read.nodes());
        assertEquals(Map.of("disk", 0.25), read.weights());
        assertEquals(1L << 40, read.capacityBytes());
    }

    @Test
    void shouldPreferFlagsWhenBothAreGiven() throws Exception {
        Path file = file("http: {port: 9000, host: a}\n");
        Sample read = ConfigFile.read(
                Sample.defaults(),
                file,
                List.of("http.port=9001", "policy=least-loaded", "nodes=[{url: u}]", "http.host=@b"));
        assertEquals(new Http("@b", 9001, true, 1.5), read.http());
        assertEquals(PolicyKind.LEAST_LOADED, read.policy());
        assertEquals(1, read.nodes().size());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    http.prt=1              | unknown key: http.prt
                    httpx.port=1            | unknown key: httpx
                    http.port=abc           | bad value: http.port=abc (a whole number is expected)
                    http.port=1.5           | bad value: http.port=1.5 (a whole number is expected)
                    http.port=99999999999   | bad value: http.port=99999999999 (a whole number is expected)
                    http.port=70000         | no such port: http.port=70000
                    http.port=              | bad value: http.port= (a whole number is expected)
                    http.port=null          | bad value: http.port=null (a value is expected)
                    http.keepAlive=maybe    | bad value: http.keepAlive=maybe (true or false is expected)
                    http.factor=fast        | bad value: http.factor=fast (a number is expected)
                    http.host=[a]           | bad value: http.host=["a"] (a text is expected)
                    http.host=no            | bad value: http.host=false (a text is expected)
                    http=a                  | bad value: http=a (keys are expected)
                    policy=kvv              | bad value: policy=kvv (one of kv, round-robin, least-loaded, random is expected)
                    nodes=a                 | bad value: nodes=a (a list is expected)
                    nodes=[{urk: a}]        | unknown key: nodes[0].urk
                    nodes=[{rank: a}]       | bad value: nodes[0].rank=a (a whole number is expected)
                    weights={a: b}          | bad value: weights.a=b (a number is expected)
                    weights=1               | bad value: weights=1 (keys are expected)
                    port                    | an override has the form key=value: set=port
                    """)
    void shouldSayInOneLineWhatIsWrong(String override, String message) {
        assertRefused(message, null, override);
    }

    @Test
    void shouldNameFileWhenItIsAbsent() {
        Path absent = folder.resolve("absent.yaml");
        assertRefused("no such configuration file: file=" + absent, absent);
    }

    @Test
    void shouldNameLineWhenYamlIsBroken() throws Exception {
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class,
                () -> ConfigFile.read(Sample.defaults(), file("http:\n  port: 1\n bad\n"), List.of()));
        assertEquals(1, e.getMessage().lines().count());
        assertEquals(true, e.getMessage().startsWith("not valid YAML: file="), e.getMessage());
        assertEquals(true, e.getMessage().contains(" line 3"), e.getMessage());
    }

    @Test
    void shouldRefuseKeysGivenTwice() {
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class,
                () -> ConfigFile.read(Sample.defaults(), file("capacityBytes: 1\ncapacityBytes: 2\n"), List.of()));
        assertEquals(true, e.getMessage().contains("capacityBytes"), e.getMessage());
    }

    @Test
    void shouldRefuseFileWithoutKeys() throws Exception {
        Path file = file("- a\n- b\n");
        assertRefused("configuration is not a set of keys: file=" + file, file);
    }

    @Test
    void shouldReadWhatItPrints() throws Exception {
        Sample sample = ConfigFile.read(
                Sample.defaults(), null, List.of("nodes=[{url: 'http://a', rank: 3, labels: [x]}]", "http.port=7"));
        assertEquals(sample, ConfigFile.read(Sample.defaults(), file(ConfigFile.print(sample)), List.of()));
    }

    private void assertRefused(String message, Path file, String... overrides) {
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> ConfigFile.read(Sample.defaults(), file, List.of(overrides)));
        assertEquals(message, e.getMessage());
    }

    private Path file(String text) throws Exception {
        return Files.writeString(folder.resolve("penstock.yaml"), text);
    }
}
