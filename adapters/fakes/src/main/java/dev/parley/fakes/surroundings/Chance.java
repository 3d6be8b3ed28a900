package dev.parley.fakes.surroundings;

import java.util.List;
import java.util.Random;

/** Seeded chance for several threads. */
public final class Chance {
    private final Random random;

    /** Chance that begins with a seed. */
    public Chance(long seed) {
        random = new Random(seed);
    }

    /** Returns a number from 0 on below {@code bound}. */
    public synchronized int below(int bound) {
        return random.nextInt(bound);
    }

    /** Returns whether it happens that happens so many times of a hundred. */
    public boolean percent(int times) {
        return below(100) < times;
    }

    /** Returns a number of milliseconds between two. */
    public int millis(int least, int most) {
        return least + below(most - least + 1);
    }

    /** Returns one of several. */
    public <T> T of(List<T> choices) {
        return choices.get(below(choices.size()));
    }
}
