package io.penstock.dataplane.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Bad workers are refused in one line that names the value. */
class WorkerSpecTest {

    private static String refusal(String url, String engine, int blockSize, int dpSize, String role) {
        return assertThrows(
                        IllegalArgumentException.class,
                        () -> new WorkerSpec(
                                "w", url, "m", engine, blockSize, dpSize, null, null, null, null, null, role, null))
                .getMessage();
    }

    @Test
    void shouldRefuseInOneLineWhenAValueCannotWork() {
        assertEquals(
                "prefill and decode workers are not supported, only both: role=prefill",
                refusal("http://h:1", "vllm", 0, 0, "prefill"));
        assertEquals(
                "prefill and decode workers are not supported, only both: role=decode",
                refusal("http://h:1", "vllm", 0, 0, "decode"));
        assertEquals("a worker needs a URL: url= ", refusal(" ", null, 0, 0, null));
        assertEquals("not of the form http://host:port[/path]: url=https://h", refusal("https://h", null, 0, 0, null));
        assertEquals("not a URL: url=http://h:x y", refusal("http://h:x y", null, 0, 0, null));
        assertEquals("not one of vllm, sglang, trtllm, none, auto: engine=tgi", refusal("http://h", "tgi", 0, 0, null));
        assertEquals("negative: blockSize=-1", refusal("http://h", null, -1, 0, null));
        assertEquals("out of 0..1024: dpSize=2000", refusal("http://h", null, 0, 2_000, null));
        assertEquals(
                "a trtllm worker cannot be asked for its model and block size: worker=w",
                refusal("http://h", "trtllm", 0, 0, null));
    }

    @Test
    void shouldFillWhatIsLeftOutWhenOnlyTheUrlIsGiven() {
        WorkerSpec spec = new WorkerSpec(null, "http://h/base/", null, null, 0, 0, "", " ", null, null, null);
        assertEquals("http://h/base", spec.url());
        assertEquals("http://h/base", spec.name());
        assertEquals("vllm", spec.engine());
        assertEquals("both", spec.role());
        assertEquals(80, spec.port());
        assertEquals(List.of(), spec.taints());
        assertEquals(null, spec.kvEvents());
        assertEquals(null, spec.kvReplay());
    }
}
