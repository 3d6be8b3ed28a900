package dev.parley.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;

/**
 * Measures two things in rounds, one after the other in each and in changing order, so that what else the machine does meets both
 * alike. The ratio is the median of the ratios of the rounds. The processor's time is measured too: it leaves out what other programs
 * took, and waiting for the disk.
 */
final class Rounds {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final int rounds;
    private final int calls;
    private final int callers;

    /**
     * Measures so.
     *
     * @param rounds how many rounds, besides one that is not counted
     * @param calls how many calls of each thing in a round, by all callers together
     * @param callers how many threads call at once
     */
    Rounds(int rounds, int calls, int callers) {
        this.rounds = rounds;
        this.calls = calls;
        this.callers = callers;
    }

    /** Measures one thing by itself. */
    Found measure(Call store) throws Exception {
        return measure(store, () -> {});
    }

    /** Measures a thing beside another. */
    Found measure(Call store, Call plain) throws Exception {
        round(store);
        round(plain);
        List<Double> ratios = new ArrayList<>();
        List<Double> worked = new ArrayList<>();
        List<long[]> ours = new ArrayList<>();
        List<long[]> theirs = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            Round first;
            Round second;
            if (i % 2 == 0) {
                first = round(store);
                second = round(plain);
            } else {
                second = round(plain);
                first = round(store);
            }
            ratios.add((double) second.nanos / first.nanos);
            worked.add((double) second.worked / Math.max(1, first.worked));
            ours.add(first.each);
            theirs.add(second.each);
        }
        return new Found(median(ratios), median(worked), Times.of(ours), Times.of(theirs));
    }

    private Round round(Call call) throws Exception {
        int each = Math.max(1, calls / callers);
        long[] times = new long[each * callers];
        if (callers == 1) {
            long workedBefore = SYSTEM.getProcessCpuTime();
            long begun = System.nanoTime();
            timed(call, times, 0, each);
            return new Round(System.nanoTime() - begun, SYSTEM.getProcessCpuTime() - workedBefore, times);
        }
        CyclicBarrier ready = new CyclicBarrier(callers + 1);
        List<Throwable> failures = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            int from = i * each;
            Thread thread = new Thread(() -> {
                try {
                    ready.await();
                    timed(call, times, from, each);
                } catch (Exception e) {
                    synchronized (failures) {
                        failures.add(e);
                    }
                }
            });
            thread.start();
            threads.add(thread);
        }
        ready.await();
        long workedBefore = SYSTEM.getProcessCpuTime();
        long begun = System.nanoTime();
        for (Thread thread : threads) {
            thread.join();
        }
        long nanos = System.nanoTime() - begun;
        long worked = SYSTEM.getProcessCpuTime() - workedBefore;
        if (!failures.isEmpty()) {
            throw new IllegalStateException("A call failed.", failures.get(0));
        }
        return new Round(nanos, worked, times);
    }

    private static void timed(Call call, long[] times, int from, int count) throws Exception {
        long last = System.nanoTime();
        for (int i = from; i < from + count; i++) {
            call.make();
            long now = System.nanoTime();
            times[i] = now - last;
            last = now;
        }
    }

    /** Returns the middle value. */
    static double median(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static final class Round {
        private final long nanos;
        private final long worked;
        private final long[] each;

        Round(long nanos, long worked, long[] each) {
            this.nanos = nanos;
            this.worked = worked;
            this.each = each;
        }
    }

    /**
     * What was found.
     *
     * @param ratio how many times as fast the store was
     * @param worked how many times as much of the processor's time the other took
     * @param store the times of the store's calls
     * @param plain the times of the other's calls
     */
    record Found(double ratio, double worked, Times store, Times plain) {}

    /**
     * Times of calls, in milliseconds.
     *
     * @param median the middle one
     * @param p99 a hundredth took longer
     * @param worst the longest
     */
    record Times(double median, double p99, double worst) {
        static Times of(List<long[]> rounds) {
            long[] all = rounds.stream().flatMapToLong(Arrays::stream).sorted().toArray();
            return new Times(
                    millis(all[all.length / 2]),
                    millis(all[(int) Math.min(all.length - 1L, all.length * 99L / 100)]),
                    millis(all[all.length - 1]));
        }

        private static double millis(long nanos) {
            return nanos / 1e6;
        }
    }
}
