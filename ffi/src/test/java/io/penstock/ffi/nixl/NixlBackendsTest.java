package io.penstock.ffi.nixl;

import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_ERROR_NOT_FOUND;
import static io.penstock.ffi.nixl.NixlConstants.statusText;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class NixlBackendsTest extends NixlCase {
    @Test
    void shouldListPluginsAndTheirDefaults() {
        NixlBackends backends = capi.backends();
        long agent = out(a -> capi.agents().createAgent(text("plain"), a));
        try {
            long plugins = out(list -> backends.getAvailablePlugins(agent, list));
            Set<String> names = new TreeSet<>();
            for (long i = 0; i < out(size -> backends.stringListSize(plugins, size)); i++) {
                long index = i;
                names.add(LibraryMemory.string(out(name -> backends.stringListGet(plugins, index, name))));
            }
            ok(backends.destroyStringList(plugins));
            assertTrue(names.containsAll(Set.of("UCX", "POSIX")), names::toString);

            MemorySegment mems = arena.allocate(ADDRESS);
            MemorySegment params = arena.allocate(ADDRESS);
            ok(backends.getPluginParams(agent, text("POSIX"), mems, params));
            assertEquals(Set.of("DRAM", "FILE"), kinds(mems.get(JAVA_LONG, 0)));
            assertTrue(NixlParams.pairs(capi, params.get(JAVA_LONG, 0)).containsKey("ios_pool_size"));
            ok(backends.destroyMemList(mems.get(JAVA_LONG, 0)));
            ok(backends.destroyParams(params.get(JAVA_LONG, 0)));
        } finally {
            ok(capi.agents().destroyAgent(agent));
        }
    }

    private Set<String> kinds(long list) {
        NixlBackends backends = capi.backends();
        assertFalse(outFlag(flag -> backends.memListIsEmpty(list, flag)));
        Set<String> kinds = new TreeSet<>();
        for (long i = 0; i < out(size -> backends.memListSize(list, size)); i++) {
            long index = i;
            int kind = outInt(type -> backends.memListGet(list, index, type));
            kinds.add(LibraryMemory.string(out(name -> backends.memTypeToString(kind, name))));
        }
        return kinds;
    }

    @Test
    void shouldKeepTheParametersOfABackend() {
        NixlBackends backends = capi.backends();
        try (NixlAgent agent = NixlAgent.open(capi, NixlAgentSettings.named("backends"))) {
            long own = out(backends::createParams);
            assertTrue(outFlag(flag -> backends.paramsIsEmpty(own, flag)));
            ok(backends.paramsAdd(own, text("ios_pool_size"), text("128")));
            assertFalse(outFlag(flag -> backends.paramsIsEmpty(own, flag)));
            assertEquals("{ios_pool_size=128}", NixlParams.pairs(capi, own).toString());
            long backend = out(b -> backends.createBackend(agent.handle(), text("POSIX"), own, b));
            ok(backends.destroyParams(own));

            MemorySegment mems = arena.allocate(ADDRESS);
            MemorySegment params = arena.allocate(ADDRESS);
            ok(backends.getBackendParams(agent.handle(), backend, mems, params));
            assertEquals(Set.of("DRAM", "FILE"), kinds(mems.get(JAVA_LONG, 0)));
            assertEquals("128", NixlParams.pairs(capi, params.get(JAVA_LONG, 0)).get("ios_pool_size"));
            ok(backends.destroyMemList(mems.get(JAVA_LONG, 0)));
            ok(backends.destroyParams(params.get(JAVA_LONG, 0)));
            ok(backends.destroyBackend(backend));
        }
    }

    @Test
    void shouldIterateThePairsInTurn() {
        NixlBackends backends = capi.backends();
        long params = out(backends::createParams);
        ok(backends.paramsAdd(params, text("a"), text("1")));
        ok(backends.paramsAdd(params, text("b"), text("2")));
        ok(backends.paramsAdd(params, text("a"), text("3")));
        assertEquals("{a=3, b=2}", NixlParams.pairs(capi, params).toString());
        long iterator = out(i -> backends.paramsCreateIterator(params, i));
        assertTrue(outFlag(
                more -> backends.paramsIteratorNext(iterator, arena.allocate(ADDRESS), arena.allocate(ADDRESS), more)));
        ok(backends.paramsDestroyIterator(iterator));
        ok(backends.destroyParams(params));
    }

    @Test
    void shouldRefuseAPluginThatIsNotThere() {
        try (NixlAgent agent = NixlAgent.open(capi, NixlAgentSettings.named("refused"))) {
            NixlException refusal = assertThrows(NixlException.class, () -> agent.createBackend("NO_SUCH"));
            assertTrue(refusal.getMessage().contains("plugin=NO_SUCH"), refusal::getMessage);
            assertTrue(refusal.status() < 0);
            assertEquals("not found (-6)", statusText(NIXL_CAPI_ERROR_NOT_FOUND));
        }
    }
}
