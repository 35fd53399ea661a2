package io.penstock.dataplane.hashing;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * SHA-256 of the JDK over a buffer, without its checked exceptions and copies.
 *
 * <p>NOTE(perf): libcrypto's one-shot call through FFM took about twice as long; docs/benchmarks.md.
 *
 * <p><b>Threading:</b> owned by the caller. <b>Cost:</b> one instance a prompt; {@link #digest} allocates nothing.
 */
final class Sha256 {
    static final int BYTES = 32;
    static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final MessageDigest digest;

    Sha256() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Hashes {@code length} bytes from {@code from} on; the digest goes to {@code out} from {@code at} on. */
    void digest(byte[] in, int from, int length, byte[] out, int at) {
        try {
            digest.update(in, from, length);
            digest.digest(out, at, BYTES);
        } catch (DigestException e) {
            throw new IllegalStateException("32 bytes hold a digest", e);
        }
    }

    /** The digest of an array. */
    static byte[] of(byte[] in) {
        byte[] out = new byte[BYTES];
        new Sha256().digest(in, 0, in.length, out, 0);
        return out;
    }

    /** Reads bytes as big-endian words. */
    static void toWords(byte[] bytes, int from, long[] words, int at, int count) {
        for (int i = 0; i < count; i++) {
            words[at + i] = (long) LONGS.get(bytes, from + i * Long.BYTES);
        }
    }

    /** Writes words as big-endian bytes. */
    static void toBytes(long[] words, int from, byte[] bytes, int at, int count) {
        for (int i = 0; i < count; i++) {
            LONGS.set(bytes, at + i * Long.BYTES, words[from + i]);
        }
    }
}
