package io.penstock.dataplane.engine;

/**
 * How long a pass takes: prefill and decode cost as polynomials fitted on a GPU (Dynamo's mocker).
 *
 * <pre>
 * prefill ms = 4.209989e-7 n² + 1.518344e-2 n + 16.50142      n = new prompt tokens in the pass, 0 ms if none
 * decode  ms = max(1, -25.74 u² + 54.01 u + 5.74)             u = min(1, tokens held by decoding requests / tokens of
 * the pool)
 * </pre>
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param speedup factor by which everything runs faster
 * @param decodeSpeedup further factor for decode
 */
public record PassTiming(double speedup, double decodeSpeedup) {
    /** Time of a pass in nanoseconds. */
    public long durationNs(long prefillTokens, int decoding, long decodingContextTokens, long poolTokens) {
        double ms = 0;
        if (prefillTokens > 0) {
            double n = prefillTokens;
            ms += (4.209989e-7 * n * n + 1.518344e-2 * n + 16.50142) / speedup;
        }
        if (decoding > 0) {
            double u = Math.min(1.0, (double) decodingContextTokens / poolTokens);
            ms += Math.max(1.0, -25.74 * u * u + 54.01 * u + 5.74) / (speedup * decodeSpeedup);
        }
        return Math.round(ms * 1e6);
    }
}
