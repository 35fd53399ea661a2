package io.penstock.dataplane.tokens;

import ai.djl.huggingface.tokenizers.jni.LibUtils;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A Hugging Face tokenizer ({@code tokenizer.json}) through its native library.
 *
 * <p>Only token ids are asked of the library: its own wrapper also fetches the text, span and word of each token, which
 * costs many times the tokenising. Truncation and padding that the file may ask for are off, as engines have them.
 *
 * <p>The library lies in the jar and is unpacked into a folder that the configuration names; neither the home folder nor
 * the network is touched.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class NativeTokenizer implements AutoCloseable {
    private final TokenizersLibrary library = TokenizersLibrary.LIB;
    private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();
    private final int[] front;
    private final int[] back;
    private long handle;

    private NativeTokenizer(long handle) {
        this.handle = handle;
        library.disablePadding(handle);
        library.disableTruncation(handle);
        int[] bare = ids("a", false);
        int[] full = ids("a", true);
        int at = indexOf(full, bare);
        front = at < 0 ? null : java.util.Arrays.copyOf(full, at);
        back = at < 0 ? null : java.util.Arrays.copyOfRange(full, at + bare.length, full.length);
    }

    /** Where the native library goes; null: below the temporary folder. The first call counts. */
    static void unpackInto(Path folder) {
        Path into = folder != null ? folder : Path.of(System.getProperty("java.io.tmpdir"), "penstock-native");
        setUnlessSet("ENGINE_CACHE_DIR", into.toString());
        setUnlessSet("DJL_CACHE_DIR", into.toString());
        setUnlessSet("ai.djl.offline", "true");
        setUnlessSet("OPT_OUT_TRACKING", "true");
        setUnlessSet("RUST_FLAVOR", "cpu");
    }

    private static void setUnlessSet(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    /**
     * Loads a tokenizer.
     *
     * @throws IllegalArgumentException if the file, or the native library, cannot be loaded
     */
    static NativeTokenizer load(Path tokenizerJson) {
        unpackInto(null);
        try {
            LibUtils.checkStatus();
            return new NativeTokenizer(
                    TokenizersLibrary.LIB.createTokenizerFromString(Files.readString(tokenizerJson)));
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot be read: tokenizer=" + tokenizerJson, e);
        } catch (RuntimeException | LinkageError e) {
            throw new IllegalArgumentException("cannot be loaded (" + e + "): tokenizer=" + tokenizerJson, e);
        }
    }

    /** Token ids of a text; {@code special}: with what the tokenizer adds around a text (BOS). */
    int[] encode(String text, boolean special) {
        if (special && front != null) {
            int[] bare = ids(text, false);
            if (front.length == 0 && back.length == 0) {
                return bare;
            }
            int[] out = java.util.Arrays.copyOf(front, front.length + bare.length + back.length);
            System.arraycopy(bare, 0, out, front.length, bare.length);
            System.arraycopy(back, 0, out, front.length + bare.length, back.length);
            return out;
        }
        return ids(text, special);
    }

    /** What {@link #encode} with special tokens puts before a text, or null where that depends on the text. */
    int[] front() {
        return front;
    }

    /** What it puts behind a text. */
    int[] back() {
        return back;
    }

    private int[] ids(String text, boolean special) {
        if (!unicode(text)) {
            throw new UnsupportedPrompt("half of a surrogate pair");
        }
        life.readLock().lock();
        try {
            if (handle == 0) {
                throw new UnsupportedPrompt("the tokenizer is closed");
            }
            long encoding = library.encode(handle, text, special);
            try {
                long[] ids = library.getTokenIds(encoding);
                int[] out = new int[ids.length];
                for (int i = 0; i < out.length; i++) {
                    out[i] = (int) ids[i];
                }
                return out;
            } finally {
                library.deleteEncoding(encoding);
            }
        } finally {
            life.readLock().unlock();
        }
    }

    /** Half surrogates have no UTF-8; Python refuses them, and the native side must not see them. */
    private static boolean unicode(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isHighSurrogate(text.charAt(i))
                        || ++i == text.length()
                        || !Character.isLowSurrogate(text.charAt(i))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static int indexOf(int[] in, int[] what) {
        for (int i = 0; i + what.length <= in.length; i++) {
            if (java.util.Arrays.mismatch(in, i, i + what.length, what, 0, what.length) < 0) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public void close() {
        life.writeLock().lock();
        try {
            if (handle != 0) {
                library.deleteTokenizer(handle);
                handle = 0;
            }
        } finally {
            life.writeLock().unlock();
        }
    }
}
