package io.penstock.dataplane.quiet;

import io.penstock.dataplane.Router;
import io.penstock.dataplane.RouterConfig;
import io.penstock.dataplane.http.HttpConfig;
import io.penstock.dataplane.tokens.ModelTokens;
import io.penstock.dataplane.tokens.TokensConfig;
import io.penstock.dataplane.workers.WorkerSpec;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Opens index and tokenizer, starts a router on them, and ends. */
final class QuietRouter {
    private QuietRouter() {}

    /** Arguments: data folder, tokenizer folder, and {@code resolve} to ask for one name first. */
    public static void main(String[] args) throws Exception {
        if (args.length > 2) {
            try {
                InetAddress.getByName("seen.invalid");
            } catch (UnknownHostException expected) {
                // The resolver knows nobody.
            }
        }
        WorkerSpec worker = new WorkerSpec(
                "w",
                "http://127.0.0.1:9",
                "tiny",
                "vllm",
                16,
                1,
                "tcp://127.0.0.1:9",
                "tcp://127.0.0.1:9",
                "",
                null,
                null);
        ModelTokens model = new ModelTokens(args[1], null, false, 2_000, true, true, 4);
        RouterConfig defaults = RouterConfig.defaults();
        RouterConfig config = new RouterConfig(
                HttpConfig.defaults().onLoopback(0, 0),
                defaults.routing(),
                defaults.core(),
                defaults.pipeline(),
                new TokensConfig(1, 64, 1 << 20, null, ModelTokens.defaults(), Map.of("tiny", model)),
                defaults.fleet(),
                defaults.ingest(),
                defaults.index(),
                defaults.pool(),
                defaults.hints(),
                defaults.libraries(),
                defaults.inputLog(),
                defaults.sessions(),
                defaults.payload(),
                defaults.journal(),
                List.of("tiny"),
                List.of(worker),
                args[0]);
        try (Router router = Router.start(config, () -> {})) {
            long end = System.nanoTime() + 60_000_000_000L;
            while (router.view().indexes().isEmpty()) {
                if (System.nanoTime() > end) {
                    throw new AssertionError("no index within a minute");
                }
                LockSupport.parkNanos(5_000_000);
            }
            System.out.println("index open, port " + router.port());
        }
        System.exit(0);
    }
}
