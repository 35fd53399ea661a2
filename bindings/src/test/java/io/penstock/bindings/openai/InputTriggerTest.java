package io.penstock.bindings.openai;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The corners of what made an agent send a request, API by API. */
class InputTriggerTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            nullValues = "-",
            value = {
                "CHAT | {\"messages\":[{\"role\":\"tool\"},{\"role\":\"user\",\"content\":[]}]} | user_message",
                "CHAT | {\"messages\":[{\"role\":\"system\"}]} | other",
                "CHAT | {\"messages\":[{\"role\":\"developer\"}]} | other",
                "CHAT | {\"messages\":[{\"content\":\"x\"}]} | other",
                "CHAT | {\"messages\":[\"x\"]} | other",
                "CHAT | {\"messages\":null} | other",
                "CHAT | {} | other",
                "COMPLETIONS | {\"prompt\":\"x\"} | other",
                "COMPLETIONS | {\"prompt\":[1,2],\"messages\":[{\"role\":\"user\"}]} | other",
                "RESPONSES | {\"input\":\"x\"} | user_message",
                "RESPONSES | {\"input\":\"\"} | user_message",
                "RESPONSES | {\"input\":[]} | other",
                "RESPONSES | {} | other",
                "RESPONSES | {\"input\":[{\"type\":\"message\",\"role\":\"user\"}]} | user_message",
                "RESPONSES | {\"input\":[{\"type\":\"message\",\"role\":\"developer\"}]} | other",
                "RESPONSES | {\"input\":[{\"type\":\"message\",\"role\":\"assistant\"}]} | other",
                "RESPONSES | {\"input\":[{\"type\":\"function_call_output\",\"output\":[{\"type\":\"x\"}]}]} | tool_result",
                "RESPONSES | {\"input\":[{\"type\":\"computer_call_output\"}]} | tool_result",
                "RESPONSES | {\"input\":[{\"type\":\"local_shell_call_output\"}]} | tool_result",
                "RESPONSES | {\"input\":[{\"type\":\"shell_call_output\"}]} | tool_result",
                "RESPONSES | {\"input\":[{\"type\":\"apply_patch_call_output\"}]} | tool_result",
                "RESPONSES | {\"input\":[{\"type\":\"custom_tool_call_output\"}]} | tool_result",
                "RESPONSES | {\"input\":[{\"execution\":\"client\",\"type\":\"tool_search_output\"}]} | tool_result",
                "RESPONSES | {\"input\":[{\"type\":\"tool_search_output\",\"execution\":\"server\"}]} | other",
                "RESPONSES | {\"input\":[{\"type\":\"function_call\"}]} | other",
                "RESPONSES | {\"input\":[{\"type\":\"reasoning\"}]} | other",
                "RESPONSES | {\"input\":[{\"type\":\"function_call_output\"},{\"role\":\"user\"}]} | user_message",
                "MESSAGES | {\"messages\":[]} | other",
                "MESSAGES | {\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\"},{\"type\":\"tool_result\"}]}]} | tool_result",
                "MESSAGES | {\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"x\",\"content\":[{\"type\":\"tool_result\"}]}]}]} | user_message",
                "MESSAGES | {\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\"}]},{\"role\":\"user\",\"content\":\"x\"}]} | user_message",
                "MESSAGES | {\"messages\":[{\"role\":\"system\",\"content\":[{\"type\":\"text\"}]}]} | other",
                "COUNT_TOKENS | {\"messages\":[{\"role\":\"user\"}]} | -",
                "EMBEDDINGS | {\"input\":\"x\"} | -",
                "TOKENIZE | {\"messages\":[{\"role\":\"user\"}]} | -",
            })
    void shouldFollowTheRuleOfTheApi(ApiKind kind, String body, String expected) {
        byte[] bytes = body.getBytes(UTF_8);
        RequestScan scan = RequestScan.scan(kind, bytes, 0, bytes.length);
        assertEquals(null, scan.error);
        assertEquals(expected, scan.inputTrigger == null ? null : scan.inputTrigger.wire());
    }
}
