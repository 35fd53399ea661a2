package io.penstock.bindings.msgpack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.ValueType;

class MsgPackCursorTest {
    private final MsgPackCursor cursor = new MsgPackCursor();

    @Test
    void shouldReadWhatTheReferenceWroteWhenValuesAreRandom() throws IOException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 3_000; i++) {
            MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();
            pack(packer, random, 4);
            byte[] bytes = packer.toByteArray();
            cursor.wrap(bytes, 0, bytes.length);
            compare(MessagePack.newDefaultUnpacker(bytes), bytes);
            assertTrue(cursor.atEnd() && !cursor.failed(), "seed " + seed);

            cursor.wrap(bytes, 0, bytes.length);
            assertTrue(cursor.skip() && cursor.atEnd(), "seed " + seed);
        }
    }

    @Test
    void shouldFailQuietlyWhenBytesAreRandomOrCutOff() throws IOException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);
            cursor.wrap(bytes, 0, bytes.length);
            for (int k = 0; k < 70 && cursor.skip(); k++) {}
            assertTrue(cursor.position() <= bytes.length, "seed " + seed);
        }
        MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();
        pack(packer, random, 5);
        byte[] whole = packer.toByteArray();
        for (int cut = 0; cut < whole.length; cut++) {
            cursor.wrap(whole, 0, cut);
            assertFalse(cursor.skip(), "seed " + seed + ", cut at " + cut);
            assertEquals(0, cursor.readInt());
            assertEquals(-1, cursor.readArray());
        }
    }

    @Test
    void shouldRefuseAnnouncedLengthsWhenTheyGoBeyondTheEnd() {
        for (String hex :
                new String[] {"ddffffffff", "dfffffffff", "dbffffffff", "c6ffffffff", "c9ffffffff01", "df7fffffff"}) {
            byte[] bytes = java.util.HexFormat.of().parseHex(hex);
            assertFalse(cursor.wrap(bytes, 0, bytes.length).skip(), hex);
        }
    }

    @Test
    void shouldSkipWithoutStackWhenNestingIsDeep() {
        byte[] deep = new byte[1_000_000];
        Arrays.fill(deep, (byte) 0x91);
        deep[deep.length - 1] = (byte) 0xc0;
        assertTrue(cursor.wrap(deep, 0, deep.length).skip());
        assertFalse(cursor.wrap(deep, 0, deep.length - 1).skip());
    }

    @Test
    void shouldFailWhenTheRangeIsImpossible() {
        assertTrue(cursor.wrap(new byte[4], 2, 3).failed());
        assertTrue(cursor.wrap(new byte[4], -1, 3).failed());
        assertEquals(MsgPackCursor.NONE, cursor.type());
    }

    private void compare(MessageUnpacker oracle, byte[] bytes) throws IOException {
        ValueType type = oracle.getNextFormat().getValueType();
        switch (type) {
            case NIL -> {
                oracle.unpackNil();
                assertTrue(cursor.readNil());
            }
            case BOOLEAN -> assertEquals(oracle.unpackBoolean(), cursor.readBool());
            case INTEGER -> {
                boolean unsigned = cursor.isUnsigned64();
                BigInteger expected = oracle.unpackBigInteger();
                long actual = cursor.readInt();
                assertEquals(expected.longValue(), actual);
                assertEquals(expected.bitLength() > 63, unsigned && actual < 0);
            }
            case FLOAT -> assertEquals(Double.doubleToRawLongBits(oracle.unpackDouble()), cursor.readDoubleBits());
            case STRING -> {
                byte[] expected = oracle.readPayload(oracle.unpackRawStringHeader());
                assertBytes(expected, bytes, cursor.readString());
            }
            case BINARY -> {
                byte[] expected = oracle.readPayload(oracle.unpackBinaryHeader());
                assertBytes(expected, bytes, cursor.readBinary());
            }
            case ARRAY -> {
                int length = oracle.unpackArrayHeader();
                assertEquals(length, cursor.readArray());
                for (int i = 0; i < length; i++) {
                    compare(oracle, bytes);
                }
            }
            case MAP -> {
                int length = oracle.unpackMapHeader();
                assertEquals(length, cursor.readMap());
                for (int i = 0; i < 2 * length; i++) {
                    compare(oracle, bytes);
                }
            }
            case EXTENSION -> {
                oracle.skipValue();
                assertEquals(MsgPackCursor.EXT, cursor.type());
                assertTrue(cursor.skip());
            }
        }
    }

    private void assertBytes(byte[] expected, byte[] bytes, int length) {
        assertArrayEquals(expected, Arrays.copyOfRange(bytes, cursor.valueOffset(), cursor.valueOffset() + length));
    }

    private static void pack(MessageBufferPacker packer, Random random, int depth) throws IOException {
        int kind = random.nextInt(depth > 0 ? 10 : 8);
        switch (kind) {
            case 0 -> packer.packNil();
            case 1 -> packer.packBoolean(random.nextBoolean());
            case 2 -> packer.packLong(random.nextLong() >> random.nextInt(64));
            case 3 -> packer.packBigInteger(new BigInteger(64, random).setBit(63));
            case 4 -> {
                if (random.nextBoolean()) {
                    packer.packFloat(random.nextFloat());
                } else {
                    packer.packDouble(random.nextGaussian());
                }
            }
            case 5 -> packer.packString("x".repeat(length(random)));
            case 6 -> {
                byte[] payload = new byte[length(random)];
                packer.packBinaryHeader(payload.length).writePayload(payload);
            }
            case 7 -> {
                byte[] payload = new byte[random.nextBoolean() ? 1 << random.nextInt(5) : length(random)];
                packer.packExtensionTypeHeader((byte) random.nextInt(100), payload.length)
                        .writePayload(payload);
            }
            case 8 -> {
                int items = random.nextInt(20);
                packer.packArrayHeader(items);
                for (int i = 0; i < items; i++) {
                    pack(packer, random, depth - 1);
                }
            }
            default -> {
                int items = random.nextInt(20);
                packer.packMapHeader(items);
                for (int i = 0; i < 2 * items; i++) {
                    pack(packer, random, depth - 1);
                }
            }
        }
    }

    private static int length(Random random) {
        return switch (random.nextInt(20)) {
            case 0 -> 66_000;
            case 1 -> 300;
            default -> random.nextInt(40);
        };
    }
}
