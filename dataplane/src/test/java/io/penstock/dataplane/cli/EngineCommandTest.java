package io.penstock.dataplane.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.engine.EngineConfig;
import io.penstock.dataplane.engine.HashAlgorithm;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class EngineCommandTest {
    @Test
    void shouldTakeItsSettingsWhenGivenAsOptions() {
        EngineCommand command = new EngineCommand();
        new CommandLine(command)
                .parseArgs(
                        "--port",
                        "0",
                        "--dp",
                        "2",
                        "--lora",
                        "a,b=/p",
                        "--hash-algo",
                        "xxhash_cbor",
                        "--speedup",
                        "7",
                        "--kv-port",
                        "0",
                        "--digests");
        EngineConfig config = command.config();
        assertEquals(2, config.dpSize());
        assertEquals(List.of("a", "b=/p"), config.adapters());
        assertEquals(HashAlgorithm.XXHASH_CBOR, config.cache().hashAlgorithm());
        assertEquals(7.0, config.batching().speedup());
        assertFalse(config.events().intHashes());
    }

    @Test
    void shouldExitWithTwoWhenASettingIsBad() {
        assertEquals(2, new CommandLine(new EngineCommand()).execute("--block-size", "0"));
        assertEquals(2, new CommandLine(new EngineCommand()).execute("--hash-algo", "md5"));
    }

    @Test
    void shouldHaltAsIfKilledWhenAFaultTellsItToDie() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + Path.of(System.getProperty("penstock.root"), "config", "jvm.flags"),
                        "-Xms64m",
                        "-Xmx160m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Penstock.class.getName(),
                        "engine",
                        "--port=0",
                        "--kv-port=0",
                        "--replay-port=0",
                        "--speedup=100")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String ready = out.readLine();
            assertTrue(ready != null && ready.startsWith("engine ready: url=http://127.0.0.1:"), ready);
            String url = ready.substring(ready.indexOf("url=") + 4, ready.indexOf(" model="));
            try (HttpClient client = HttpClient.newHttpClient()) {
                send(client, url + "/sim/fault", "{\"dieAfterTokens\":3}");
                client.sendAsync(
                        HttpRequest.newBuilder(URI.create(url + "/v1/completions"))
                                .POST(HttpRequest.BodyPublishers.ofString(
                                        "{\"prompt\":\"hello\",\"max_tokens\":1000,\"stream\":true}"))
                                .build(),
                        HttpResponse.BodyHandlers.discarding());
                assertTrue(process.waitFor(30, TimeUnit.SECONDS), "it lives on");
                assertEquals(137, process.exitValue());
            }
        } finally {
            process.destroyForcibly();
        }
    }

    private static void send(HttpClient client, String url, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        assertEquals(
                200, client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
    }
}
