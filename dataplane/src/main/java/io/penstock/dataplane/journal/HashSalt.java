package io.penstock.dataplane.journal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Turns hashes into others that only the owner of a secret can compute: SipHash-2-4 of the eight bytes. Equal stays equal,
 * so prefixes can still be compared; whoever holds a prompt cannot look whether somebody sent it.
 *
 * <p>Source: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", 2012. The key is the first half of
 * SHA-256 of the secret.
 *
 * <p><b>Threading:</b> immutable.
 */
final class HashSalt {
    private final long k0;
    private final long k1;

    HashSalt(long k0, long k1) {
        this.k0 = k0;
        this.k1 = k1;
    }

    /** The salt of a secret text, or null for none. */
    static HashSalt of(String secret) {
        if (secret.isEmpty()) {
            return null;
        }
        try {
            ByteBuffer key = ByteBuffer.wrap(
                            MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8)))
                    .order(ByteOrder.LITTLE_ENDIAN);
            return new HashSalt(key.getLong(), key.getLong());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    /** The hash in the file. */
    long apply(long hash) {
        long v0 = 0x736f6d6570736575L ^ k0;
        long v1 = 0x646f72616e646f6dL ^ k1;
        long v2 = 0x6c7967656e657261L ^ k0;
        long v3 = 0x7465646279746573L ^ k1;
        for (int step = 0; step < 3; step++) {
            // The hash, then the last word (no bytes left over, eight in all), then the finish, which takes in nothing.
            long word = step == 0 ? hash : step == 1 ? 8L << 56 : 0;
            v3 ^= word;
            if (step == 2) {
                v2 ^= 0xFF;
            }
            for (int round = step == 2 ? 4 : 2; round > 0; round--) {
                v0 += v1;
                v2 += v3;
                v1 = Long.rotateLeft(v1, 13) ^ v0;
                v3 = Long.rotateLeft(v3, 16) ^ v2;
                v0 = Long.rotateLeft(v0, 32);
                v2 += v1;
                v0 += v3;
                v1 = Long.rotateLeft(v1, 17) ^ v2;
                v3 = Long.rotateLeft(v3, 21) ^ v0;
                v2 = Long.rotateLeft(v2, 32);
            }
            v0 ^= word;
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }
}
