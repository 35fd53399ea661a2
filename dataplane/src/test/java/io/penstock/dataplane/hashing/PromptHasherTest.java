package io.penstock.dataplane.hashing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.index.ChainHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.stream.IntStream;
import net.openhft.hashing.LongHashFunction;
import org.junit.jupiter.api.Test;

class PromptHasherTest {
    private static final int[] TOKENS = IntStream.rangeClosed(1, 16).toArray();

    @Test
    void shouldEqualThePublishedVectors() {
        assertArrayEquals(
                hex("cb38e4d7fb2dca5c 44a2b2379d6d3c3d aea1e67a6c80cf84 1aaa5eb6e2524a3b"),
                chain(PromptHasher.of(4, null, null)));
        assertArrayEquals(hex("ea06fc71a5ee6e88"), chain(PromptHasher.of(16, "", "")));
        assertArrayEquals(
                hex("d97c824a0d4bdab1 d6eb73bf819c8ca5 730fce433396ea59 40cd53d856d02bbd"),
                chain(PromptHasher.of(4, "my-lora", null)));
        assertArrayEquals(
                hex("4fa3e8097233e995 0eef8d1bc8240aff c5c73138b80a0d4c 05fd57594dcb5467"),
                chain(PromptHasher.of(4, null, "tenant-a")));
        assertArrayEquals(
                hex("55754b59eba4a7e7 879955b9960f02dd 464eb519dd78d1ba e056ae9f0c5af094"),
                chain(PromptHasher.of(4, "my-lora", "tenant-a")));
    }

    @Test
    void shouldContinueAChainWhenThePrefixIsKept() {
        PromptHasher hasher = PromptHasher.of(4, null, null);
        long[] out = new long[4];
        hasher.chain(TOKENS, 8, 0, out);
        hasher.chain(TOKENS, 16, 2, out);
        assertArrayEquals(chain(hasher), out);
    }

    @Test
    void shouldEqualXxh3WhenChaining() {
        LongHashFunction xx3 = LongHashFunction.xx3(1337);
        Random random = new Random(7);
        ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 10_000; i++) {
            long parent = random.nextLong();
            long local = random.nextLong();
            bytes.putLong(0, parent).putLong(8, local);
            assertEquals(xx3.hashBytes(bytes.array()), ChainHash.next(parent, local));
        }
    }

    private static long[] chain(PromptHasher hasher) {
        long[] out = new long[hasher.blocks(TOKENS.length)];
        hasher.chain(TOKENS, TOKENS.length, 0, out);
        return out;
    }

    private static long[] hex(String words) {
        return java.util.Arrays.stream(words.split(" "))
                .mapToLong(word -> Long.parseUnsignedLong(word, 16))
                .toArray();
    }
}
