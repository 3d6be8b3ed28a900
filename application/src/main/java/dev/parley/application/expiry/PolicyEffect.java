package dev.parley.application.expiry;

import dev.parley.application.expiry.PolicyReplay.LaneReplay;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * What another reset policy would have changed, over all lanes: sums, and the lanes with the most changes. Holds no more lanes than it
 * is told to, however many are added. Not safe for concurrent use.
 */
public final class PolicyEffect {
    /** Fewest changes first, then least difference in tokens, then greatest key. */
    private static final Comparator<LaneReplay> LEAST_CHANGED = Comparator.comparingInt(PolicyEffect::changes)
            .thenComparingLong(lane -> Math.abs(lane.tokensCarried() - lane.tokensImagined()))
            .thenComparing(lane -> lane.lane().value(), Comparator.reverseOrder());

    private final int most;
    private final PriorityQueue<LaneReplay> changed = new PriorityQueue<>(LEAST_CHANGED);
    private Sums sums = new Sums(0, 0, 0, 0, 0, 0, 0, 0, 0);

    /**
     * Sums over all lanes that somebody wrote to.
     *
     * @param lanes how many lanes these are
     * @param differing how many of them would have had other resets
     * @param turns how many messages people wrote
     * @param happened resets that happened
     * @param imagined resets the other policy would have made
     * @param added those of them that did not happen
     * @param spared resets that happened and that the other policy would not have made
     * @param tokensCarried estimated tokens of earlier conversation that agents were given
     * @param tokensImagined the same under the other policy
     */
    public record Sums(
            long lanes,
            long differing,
            long turns,
            long happened,
            long imagined,
            long added,
            long spared,
            long tokensCarried,
            long tokensImagined) {}

    /**
     * Nothing yet.
     *
     * @param most how many lanes it keeps
     */
    public PolicyEffect(int most) {
        this.most = most;
    }

    /** Adds a lane. */
    public void add(LaneReplay lane) {
        int added = lane.added().size();
        int spared = lane.spared().size();
        boolean differs = added + spared > 0;
        sums = new Sums(
                sums.lanes + 1,
                sums.differing + (differs ? 1 : 0),
                sums.turns + lane.turns(),
                sums.happened + lane.happened().size(),
                sums.imagined + lane.imagined().size(),
                sums.added + added,
                sums.spared + spared,
                sums.tokensCarried + lane.tokensCarried(),
                sums.tokensImagined + lane.tokensImagined());
        if (differs) {
            changed.add(lane);
            if (changed.size() > most) {
                changed.poll();
            }
        }
    }

    /** Returns the sums of what was added so far. */
    public Sums sums() {
        return sums;
    }

    /** Returns the lanes with other resets that were kept, most changes first, then by difference in tokens, then by key. */
    public List<LaneReplay> mostChanged() {
        List<LaneReplay> lanes = new ArrayList<>(changed);
        lanes.sort(LEAST_CHANGED.reversed());
        return List.copyOf(lanes);
    }

    private static int changes(LaneReplay lane) {
        return lane.added().size() + lane.spared().size();
    }
}
