package io.penstock.bindings.mooncake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Messages of a real master, from the test resources. */
final class StoreRecording {
    record Message(long sequence, byte[] sequenceFrame, byte[] payload, JsonNode decoded) {}

    private StoreRecording() {}

    static List<Message> all() {
        try (var in = StoreRecording.class.getResourceAsStream("/recordings/mooncake_events.json")) {
            List<Message> messages = new ArrayList<>();
            for (JsonNode message : new ObjectMapper().readTree(in).get("messages")) {
                JsonNode frames = message.get("frames_hex");
                messages.add(new Message(
                        message.get("seq").asLong(),
                        HexFormat.of().parseHex(frames.get(1).asText()),
                        HexFormat.of().parseHex(frames.get(2).asText()),
                        message.get("decoded")));
            }
            return messages;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
