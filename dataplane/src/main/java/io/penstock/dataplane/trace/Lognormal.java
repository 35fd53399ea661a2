package io.penstock.dataplane.trace;

import java.util.random.RandomGenerator;

/**
 * A lognormal distribution given by two of its quantiles, as measurements state them.
 *
 * <p><b>Threading:</b> immutable; the generator is the caller's.
 *
 * @param p50 median
 * @param p90 nine tenths lie below
 */
public record Lognormal(double p50, double p90) {
    /** 0.9 quantile of the standard normal distribution. */
    private static final double Z90 = 1.2815515655446004;

    /** Refuses quantiles out of order. */
    public Lognormal {
        if (!(p50 > 0) || p90 < p50) {
            throw new IllegalArgumentException("quantiles must rise from above 0: p50=" + p50 + " p90=" + p90);
        }
    }

    /** Standard deviation of the logarithm. */
    public double sigma() {
        return Math.log(p90 / p50) / Z90;
    }

    /** One draw. */
    public double draw(RandomGenerator random) {
        return p50 * Math.exp(sigma() * random.nextGaussian());
    }

    /** One draw, rounded and held within limits. */
    public int draw(RandomGenerator random, int least, int most) {
        return Math.clamp(Math.round(draw(random)), least, most);
    }
}
