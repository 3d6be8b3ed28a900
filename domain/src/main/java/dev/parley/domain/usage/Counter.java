package dev.parley.domain.usage;

/** Adds counts and costs that never run over: what is too large stays at the greatest number there is. */
public final class Counter {
    private Counter() {}

    /** Returns the sum of a count and what is added to it. */
    public static long sum(long count, long more) {
        long sum = count + more;
        return ((count ^ sum) & (more ^ sum)) < 0 ? (count < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
    }

    /** Returns the sum of a cost and what is added to it, never infinite. */
    public static double sum(double cost, double more) {
        double sum = cost + more;
        return Double.isInfinite(sum) && Double.isFinite(cost) && Double.isFinite(more)
                ? Math.copySign(Double.MAX_VALUE, sum)
                : sum;
    }
}
