package io.penstock.dataplane.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.penstock.bindings.openai.ApiKind;
import io.penstock.bindings.openai.OpenAiStreamEvents;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SseRelayTest {
    private static final String USAGE =
            "data: {\"id\":\"c\",\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4}}\n\n";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private SseRelay relay(boolean removeUsage) {
        out.reset();
        return new SseRelay(
                new OpenAiStreamEvents(ApiKind.CHAT), removeUsage, UnpooledByteBufAllocator.DEFAULT, this::take);
    }

    private void take(ByteBuf bytes) {
        byte[] copy = new byte[bytes.readableBytes()];
        bytes.readBytes(copy);
        bytes.release();
        out.writeBytes(copy);
    }

    private static void feed(SseRelay relay, byte[] bytes, Random random, int most) {
        for (int from = 0; from < bytes.length; ) {
            int length = Math.min(1 + random.nextInt(most), bytes.length - from);
            relay.content(Unpooled.copiedBuffer(bytes, from, length));
            from += length;
        }
    }

    private static String event(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> ": ping\n\n";
            case 1 -> "\n";
            case 2 -> "event: x\r\ndata: {\"choices\":[{\"delta\":{\"content\":\"é\\n\\n\"}}]}\r\n\r\n";
            case 3 -> "data: a\ndata: b\n\n";
            case 4 -> "data: " + "z".repeat(random.nextInt(5_000)) + "\n\n";
            default -> "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + random.nextInt() + "\"}}]}\n\n";
        };
    }

    @Test
    void shouldLeaveOutNothingButTheUsageWhateverTheChunks() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int script = 0; script < 2_000; script++) {
            StringBuilder with = new StringBuilder();
            StringBuilder without = new StringBuilder();
            int events = random.nextInt(12);
            for (int i = 0; i < events; i++) {
                String event = event(random);
                with.append(event);
                without.append(event);
                if (random.nextInt(6) == 0 && !event.equals("\n")) {
                    with.append(USAGE);
                }
            }
            if (random.nextBoolean()) {
                with.append("data: [DONE]\n\n");
                without.append("data: [DONE]\n\n");
            }
            if (random.nextInt(4) == 0) {
                with.append("data: no end");
                without.append("data: no end");
            }
            int most = 1 + random.nextInt(200);
            SseRelay relay = relay(true);
            feed(relay, with.toString().getBytes(UTF_8), random, most);
            relay.end();
            assertEquals(without.toString(), out.toString(UTF_8), "seed " + seed + " script " + script);
            relay = relay(false);
            feed(relay, with.toString().getBytes(UTF_8), random, most);
            relay.end();
            assertEquals(with.toString(), out.toString(UTF_8), "seed " + seed + " script " + script);
        }
    }

    @Test
    void shouldPassALongEventOnInPiecesAndStillEndInAnEvent() {
        SseRelay relay = relay(false);
        byte[] piece = ("data: " + "y".repeat(SseRelay.HOLD_LIMIT)).getBytes(UTF_8);
        relay.content(Unpooled.copiedBuffer(piece));
        assertEquals(piece.length, out.size());
        assertTrue(relay.breakOff("data: {\"error\":1}\n\n".getBytes(UTF_8)));
        assertTrue(out.toString(UTF_8).endsWith("y\n\ndata: {\"error\":1}\n\n"));
    }

    @Test
    void shouldHoldTheLastEventBackUntilTheEnd() {
        SseRelay relay = relay(false);
        relay.content(Unpooled.copiedBuffer("data: a\n\ndata: [DONE]\n\n", UTF_8));
        assertEquals("data: a\n\n", out.toString(UTF_8));
        assertTrue(relay.complete());
        relay.content(Unpooled.copiedBuffer(": more\n\n", UTF_8));
        assertFalse(relay.complete());
        assertEquals("data: a\n\ndata: [DONE]\n\n: more\n\n", out.toString(UTF_8));
    }
}
