package io.penstock.dataplane.hashing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.penstock.index.ChainHash;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every published vector: tokens 1 to 16. */
class KnownAnswersTest {
    private static final int[] TOKENS = IntStream.rangeClosed(1, 16).toArray();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "4|false|||cb38e4d7fb2dca5c e8d3ec39b907b74c 06b748f1777d599c 01e03482f18b34e9"
                        + "|cb38e4d7fb2dca5c 44a2b2379d6d3c3d aea1e67a6c80cf84 1aaa5eb6e2524a3b",
                "16|false|||ea06fc71a5ee6e88|ea06fc71a5ee6e88",
                "4|false|my-lora||d97c824a0d4bdab1 6de6cbec6a335efe 59563a3ec2dcb3c3 f20b3a262bff387a"
                        + "|d97c824a0d4bdab1 d6eb73bf819c8ca5 730fce433396ea59 40cd53d856d02bbd",
                "4|false||tenant-a|4fa3e8097233e995 9b7651d1fc728ccb 81509804cf942908 154b25196e4319a4"
                        + "|4fa3e8097233e995 0eef8d1bc8240aff c5c73138b80a0d4c 05fd57594dcb5467",
                "4|false|my-lora|tenant-a|55754b59eba4a7e7 2d312b8536173c9c 0a5b5e04397f5b61 32c783cc34cb86f9"
                        + "|55754b59eba4a7e7 879955b9960f02dd 464eb519dd78d1ba e056ae9f0c5af094",
                "4|true|||1a92ffa9004c0851 1ac55a72d61806e3 7173bc24eaf6c994"
                        + "|1a92ffa9004c0851 b64e31be06d3e9dd d023e3b60f41b39c",
            })
    void shouldEqualThePublishedHashes(
            int blockSize, boolean bigram, String adapter, String salt, String locals, String sequences) {
        PromptHasher hasher =
                bigram ? PromptHasher.bigram(blockSize, adapter, salt) : PromptHasher.of(blockSize, adapter, salt);
        long[] expected = hex(locals);
        assertEquals(expected.length, hasher.blocks(16));
        long[] local = new long[expected.length];
        for (int i = 0; i < local.length; i++) {
            local[i] = hasher.local(TOKENS, i * blockSize);
        }
        assertArrayEquals(expected, local);
        long[] chain = new long[expected.length];
        hasher.chain(TOKENS, 16, 0, chain);
        assertArrayEquals(hex(sequences), chain);
    }

    @Test
    void shouldEqualThePublishedHashesWhenAMediumIsInTheSecondBlock() {
        PromptHasher hasher = PromptHasher.of(4, null, null);
        long[] media = {0x1122334455667788L};
        long[] local = new long[4];
        for (int i = 0; i < 4; i++) {
            local[i] = hasher.localMultimodal(TOKENS, i * 4, media, 0, i == 1 ? 1 : 0);
        }
        assertArrayEquals(hex("cb38e4d7fb2dca5c 0ace1b6b01e634f3 06b748f1777d599c 01e03482f18b34e9"), local);
        long[] chain = local.clone();
        for (int i = 1; i < 4; i++) {
            chain[i] = ChainHash.next(chain[i - 1], local[i]);
        }
        assertArrayEquals(hex("cb38e4d7fb2dca5c 36b168f71f0dff8c f0a383bd92b34484 31d1bb60386e07ed"), chain);
    }

    @Test
    void shouldEqualTheConstantsOfTheTokensCrate() {
        PromptHasher hasher = PromptHasher.of(4, null, null);
        long[] chain = new long[4];
        hasher.chain(TOKENS, 16, 0, chain);
        assertEquals("14643705804678351452", Long.toUnsignedString(hasher.local(TOKENS, 0)));
        assertEquals("16777012769546811212", Long.toUnsignedString(hasher.local(TOKENS, 4)));
        assertEquals("4945711292740353085", Long.toUnsignedString(chain[1]));
        assertEquals("483935686894639516", Long.toUnsignedString(hasher.local(TOKENS, 8)));
        assertEquals("12583592247330656132", Long.toUnsignedString(chain[2]));
    }

    @Test
    void shouldNotDependOnTheOrderOfMediaWhenABlockHasSeveral() {
        PromptHasher hasher = PromptHasher.of(4, null, null);
        long one = hasher.localMultimodal(TOKENS, 4, new long[] {9, -3, 5}, 1, 2);
        long other = hasher.localMultimodal(TOKENS, 4, new long[] {5, -3}, 0, 2);
        assertEquals(one, other);
        assertNotEquals(hasher.local(TOKENS, 4), one);
    }

    @Test
    void shouldTakeADigestsFirstDigitsWhenAMediumIsNamedByOne() {
        String digest = "1122334455667788" + "f".repeat(48);
        assertEquals(0x1122334455667788L, PromptHasher.mediaHash(digest));
        assertNotEquals(0x1122334455667788L, PromptHasher.mediaHash(digest.substring(1)));
        assertEquals(1_000_000 + (0x55667788 & ((1 << 30) - 1)), PromptHasher.sglangPad(0x1122334455667788L));
    }

    private static long[] hex(String words) {
        return Arrays.stream(words.split(" "))
                .mapToLong(word -> Long.parseUnsignedLong(word, 16))
                .toArray();
    }
}
