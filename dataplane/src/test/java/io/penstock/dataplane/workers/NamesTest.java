package io.penstock.dataplane.workers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Names become numbers, and what a model's name stands for. */
class NamesTest {
    private final Names names = new Names();
    private final Models models = new Models(names);

    @Test
    void shouldRefuseTheTaintsWhenSixtyFourAreUsedUp() {
        List<String> full = IntStream.range(0, 63).mapToObj(i -> "t" + i).toList();
        names.addTaints(full);
        assertThrows(IllegalArgumentException.class, () -> names.addTaints(List.of("a", "b")));
        assertEquals(0, names.taint("a"));
        assertEquals(1L << 63 | 1, names.addTaints(List.of("a", "t0", "a")));
        assertEquals(1L << 63, names.taint("a"));
    }

    @Test
    void shouldNotReuseAWorkersNumberWhenOthersAreLeft() {
        assertEquals(0, names.addWorker("a"));
        assertEquals(1, names.addWorker("b"));
        names.removeWorker("a");
        assertEquals(-1, names.worker("a"));
        assertEquals(2, names.addWorker("a"));
        IntStream.range(3, 1 << 16).forEach(i -> names.addWorker("w" + i));
        assertEquals(0, names.addWorker("again"));
        assertThrows(IllegalArgumentException.class, () -> names.addWorker("more"));
    }

    @Test
    void shouldResolveModelsAliasesAndAdaptersWhenWorkersServeThem() {
        models.configure("configured");
        models.rebuild(List.of());
        assertEquals("configured", models.resolve(null).name());
        assertEquals(0, models.resolve("configured").blockSizes().length);
        models.rebuild(List.of(
                new Models.Served("base", List.of("base-alias"), List.of("lora", "configured"), 32),
                new Models.Served("base", List.of(), List.of("lora"), 16),
                new Models.Served("other", List.of(), List.of("lora"), 64)));
        assertNull(models.resolve(null));
        Models.Target base = models.resolve("base");
        assertArrayEquals(new int[] {16, 32}, base.blockSizes());
        assertEquals(-1, base.adapter());
        assertEquals(base, models.resolve("base-alias"));
        Models.Target lora = models.resolve("lora");
        assertEquals(base.model(), lora.model());
        assertEquals("lora", lora.adapterName());
        assertEquals(names.adapter("lora"), lora.adapter());
        assertEquals(-1, models.resolve("configured").adapter());
        assertEquals(List.of("configured", "base", "other", "base-alias", "lora"), models.names());
        models.rebuild(List.of());
        assertNull(models.resolve("lora"));
        assertTrue(models.resolve("base").blockSizes().length == 0);
    }
}
