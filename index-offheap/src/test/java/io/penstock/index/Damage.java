package io.penstock.index;

import io.penstock.index.layout.HeaderLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

/**
 * One seeded damage of an index file and the copy of its header beside it: bits flipped, or a file cut off.
 *
 * <p><b>Threading:</b> owned by a test.
 */
final class Damage {
    private static final int MAGIC_STEP = 64;

    private final byte[] file;
    private final byte[] sidecar;
    private final int firstPage;
    private final int[] used;

    /** The bytes of both files as they were written. */
    Damage(byte[] file, byte[] sidecar) {
        this.file = file;
        this.sidecar = sidecar;
        firstPage = firstPage(file);
        int[] found = new int[file.length];
        int count = 0;
        for (int at = 0; at < file.length; at++) {
            if (file[at] != 0) {
                found[count++] = at;
            }
        }
        used = Arrays.copyOf(found, count);
    }

    private static int firstPage(byte[] file) {
        ByteBuffer words = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int at = 0;
        while (words.getLong(at) != HeaderLayout.MAGIC_VALUE) {
            at += MAGIC_STEP;
        }
        return at;
    }

    /**
     * Both files, damaged.
     *
     * @param what in words
     */
    record Damaged(byte[] file, byte[] sidecar, String what) {}

    Damaged of(long seed) {
        Random random = new Random(seed);
        byte[] hurtFile = file.clone();
        byte[] hurtSidecar = sidecar.clone();
        switch (random.nextInt(20)) {
            case 0 -> {
                int length = random.nextInt(file.length);
                return new Damaged(Arrays.copyOf(file, length), hurtSidecar, "file cut to " + length);
            }
            case 1 -> {
                int length = random.nextInt(sidecar.length);
                return new Damaged(hurtFile, Arrays.copyOf(sidecar, length), "header copy cut to " + length);
            }
            case 2, 3 -> {
                return new Damaged(
                        hurtFile,
                        hurtSidecar,
                        "header copy" + flip(hurtSidecar, random, random.nextInt(sidecar.length)));
            }
            default -> {
                return new Damaged(hurtFile, hurtSidecar, "file" + flip(hurtFile, random, place(random)));
            }
        }
    }

    /** Everywhere, and more often where something stands. */
    private int place(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> random.nextInt(file.length);
            case 1 -> random.nextInt(firstPage);
            case 2 -> firstPage + random.nextInt(random.nextInt(4) == 0 ? HeaderLayout.BYTES : HeaderLayout.BINS);
            default -> used[random.nextInt(used.length)];
        };
    }

    /** One to three bits, the further ones in the same word or anywhere. */
    private String flip(byte[] bytes, Random random, int first) {
        StringBuilder what = new StringBuilder();
        boolean near = random.nextBoolean();
        int at = first;
        for (int bits = 1 + random.nextInt(3); bits > 0; bits--) {
            int bit = random.nextInt(Byte.SIZE);
            bytes[at] ^= (byte) (1 << bit);
            what.append(" byte ").append(at).append(" bit ").append(bit);
            if (bytes.length == file.length && at >= firstPage) {
                what.append(" (page 0 + ").append(at - firstPage).append(')');
            }
            int anywhere = bytes.length == file.length ? place(random) : random.nextInt(bytes.length);
            at = near ? Math.min(bytes.length - 1, (at & -Long.BYTES) + random.nextInt(Long.BYTES)) : anywhere;
        }
        return what.toString();
    }
}
