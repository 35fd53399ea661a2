package io.penstock.ffi.nixl;

import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_MEM_DRAM;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * An agent in a process of its own, which does what it reads from standard input, a line each, and answers with a line. It
 * ends with its input, in the ordinary way, so that the ends of the native libraries run too.
 */
final class NixlPeerProcess {
    private static final HexFormat HEX = HexFormat.of();
    private static final int BYTES = 1 << 20;

    private final NixlCapi capi = NixlCapi.installed();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(BYTES);
    private final MemorySegment memory = arena.allocate(BYTES, 4096);
    private final NixlAgent agent;
    private long registration;

    private NixlPeerProcess(String name, int port) {
        agent = NixlAgent.open(capi, NixlAgentSettings.named(name).listeningAt(port));
    }

    /** Arguments: name, port to listen at or 0. */
    public static void main(String[] args) throws IOException {
        NixlPeerProcess peer = new NixlPeerProcess(args[0], Integer.parseInt(args[1]));
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("> ready");
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ");
            String answer = peer.answer(words);
            System.out.println("> " + answer);
        }
        peer.end();
    }

    private String answer(String[] words) {
        return switch (words[0]) {
            case "metadata" -> HEX.formatHex(agent.metadata());
            case "load" -> agent.load(HEX.parseHex(words[1])).name();
            case "forget" -> Integer.toString(agent.forget(agent.peer(words[1])));
            case "knows" -> knows(agent.peer(words[1]));
            case "misses" -> misses(agent.peer(words[1]));
            case "register" -> Long.toString(register());
            case "fill" -> fill(Integer.parseInt(words[1]));
            case "count" -> Long.toString(count(Integer.parseInt(words[1])));
            case "notify" -> send(agent.peer(words[1]), words[2].getBytes(StandardCharsets.UTF_8));
            case "take" -> take(Integer.parseInt(words[1]));
            case "print" -> print();
            default -> throw new IllegalArgumentException("command=" + words[0]);
        };
    }

    private String knows(NixlPeer peer) {
        NixlCase.await("the metadata of " + peer, () -> agent.knows(peer));
        return "yes";
    }

    private String misses(NixlPeer peer) {
        NixlCase.await("the end of the metadata of " + peer, () -> !agent.knows(peer));
        return "yes";
    }

    private long register() {
        NixlRegDlists lists = capi.regDlists();
        registration = out(out -> lists.createRegDlist(NIXL_CAPI_MEM_DRAM, out));
        NixlException.check(
                lists.regDlistAddDesc(registration, memory.address(), BYTES, 0, MemorySegment.NULL, 0), "add");
        NixlException.check(lists.registerMem(agent.handle(), registration, 0), "register");
        return memory.address();
    }

    private long out(ToIntFunction<MemorySegment> call) {
        MemorySegment out = arena.allocate(ADDRESS);
        NixlException.check(call.applyAsInt(out), "call");
        return out.get(JAVA_LONG, 0);
    }

    private String fill(int value) {
        memory.fill((byte) value);
        return "filled";
    }

    private long count(int value) {
        long count = 0;
        for (long i = 0; i < BYTES; i++) {
            count += memory.get(JAVA_BYTE, i) == value ? 1 : 0;
        }
        return count;
    }

    private String send(NixlPeer peer, byte[] text) {
        buffer.copyFrom(MemorySegment.ofArray(text));
        return NixlConstants.statusText(agent.notify(peer, buffer, text.length));
    }

    private String take(int count) {
        List<String> taken = new ArrayList<>();
        NixlCase.await(count + " notifications", () -> {
            agent.poll(
                    buffer,
                    (sender, data, bytes) -> taken.add(sender + "="
                            + new String(data.asSlice(0, bytes).toArray(JAVA_BYTE), StandardCharsets.UTF_8)));
            return taken.size() >= count;
        });
        return String.join(" ", taken);
    }

    /** What the library itself writes to standard output: only here, since a test's own is the build's. */
    private String print() {
        long list = out(out -> capi.xferDlists().createXferDlist(NIXL_CAPI_MEM_DRAM, out));
        NixlException.check(capi.xferDlists().xferDlistAddDesc(list, memory.address(), BYTES, 0), "add");
        NixlException.check(capi.xferDlists().xferDlistPrint(list), "print");
        NixlException.check(capi.regDlists().regDlistPrint(registration), "print");
        capi.xferDlists().destroyXferDlist(list);
        return "printed";
    }

    private void end() {
        if (registration != 0) {
            NixlException.check(capi.regDlists().deregisterMem(agent.handle(), registration, 0), "deregister");
            capi.regDlists().destroyRegDlist(registration);
        }
        agent.close();
    }
}
