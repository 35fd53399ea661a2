package io.penstock.bindings.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.bindings.sglang.SglangEventCursor;
import io.penstock.bindings.vllm.VllmEventCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Frames of real engines, from the test resources. */
final class Recordings {
    record Frame(String name, boolean sglang, byte[] payload, JsonNode decoded) {
        KvEventCursor cursor() {
            return sglang ? new SglangEventCursor() : new VllmEventCursor();
        }
    }

    private Recordings() {}

    static List<Frame> all() {
        List<Frame> frames = new ArrayList<>();
        for (JsonNode frame : read("vllm_kv_events.json").get("frames")) {
            frames.add(new Frame(
                    "vllm " + frame.get("note").asText(),
                    false,
                    hex(frame.get("payload_hex").asText()),
                    frame.get("decoded")));
        }
        for (JsonNode recording : read("sglang_kv_events.json")) {
            for (JsonNode frame : recording.get("frames")) {
                frames.add(new Frame(
                        "sglang " + recording.get("scenario").asText() + " seq " + frame.get("seq"),
                        true,
                        hex(frame.get("frames_hex").get(2).asText()),
                        frame.get("decoded")));
            }
        }
        return frames;
    }

    static JsonNode read(String name) {
        try (var in = Recordings.class.getResourceAsStream("/recordings/" + name)) {
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }
}
