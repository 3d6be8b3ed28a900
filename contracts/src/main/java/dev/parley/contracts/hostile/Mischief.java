package dev.parley.contracts.hostile;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decides at which call a plug-in misbehaves, and how. A call is named by the port's simple name and the method, such as {@code
 * Agent.start}, {@code AgentEvents.answered} or {@code Ledger.commit}. Called from any thread.
 */
@FunctionalInterface
public interface Mischief {
    /** Returns what goes wrong at this call; empty where it goes well. Asked once for each call. */
    Optional<Misdeed> at(String call);

    /** Returns one that lets everything go well. */
    static Mischief none() {
        return call -> Optional.empty();
    }

    /** Returns one that spoils every call of this name. */
    static Mischief always(String spoilt, Misdeed misdeed) {
        return call -> call.equals(spoilt) ? Optional.of(misdeed) : Optional.empty();
    }

    /** Returns one that spoils every call but those of these names. */
    static Mischief allBut(Misdeed misdeed, String... spared) {
        List<String> names = List.of(spared);
        return call -> names.contains(call) ? Optional.empty() : Optional.of(misdeed);
    }

    /** Returns one that spoils the first {@code times} calls of this name. */
    static Mischief first(int times, String spoilt, Misdeed misdeed) {
        AtomicInteger left = new AtomicInteger(times);
        return call -> call.equals(spoilt) && left.getAndDecrement() > 0 ? Optional.of(misdeed) : Optional.empty();
    }

    /**
     * Returns one that spoils about one call in {@code oneIn}, each misdeed of its port as often as the others. The same seed and
     * the same calls spoil the same.
     *
     * @param ports what may go wrong, by port, such as {@code Agent}, or by call, such as {@code Agent.close}, which counts for
     *     more; others go well
     */
    static Mischief seeded(long seed, int oneIn, Map<String, List<Misdeed>> ports) {
        Random random = new Random(seed);
        return call -> {
            String port = call.substring(0, call.indexOf('.'));
            List<Misdeed> possible = ports.getOrDefault(call, ports.getOrDefault(port, List.of()));
            synchronized (random) {
                return possible.isEmpty() || random.nextInt(oneIn) > 0
                        ? Optional.empty()
                        : Optional.of(possible.get(random.nextInt(possible.size())));
            }
        };
    }

    /** Returns one that asks several, the first that spoils a call first. */
    static Mischief of(Mischief... several) {
        return call -> Arrays.stream(several)
                .map(each -> each.at(call))
                .flatMap(Optional::stream)
                .findFirst();
    }
}
