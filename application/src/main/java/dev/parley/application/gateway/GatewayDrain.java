package dev.parley.application.gateway;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Timers;
import dev.parley.domain.change.Change;
import dev.parley.domain.context.HomeChannel;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of a gateway from its last running turn to nothing running (P7.36 to P7.43): tells the chats, waits for running turns, cuts
 * off what still runs at the time-out, and lets what is being delivered go out. Works on the operator's desk.
 */
final class GatewayDrain {
    private final Workings works;
    private final OperatorDesk desk;
    private final Supplier<Collection<LaneDesk>> lanes;
    private final StopMode mode;
    private final Runnable finished;
    private final SortedSet<SessionKey> cutOff = new TreeSet<>();
    private Phase phase = Phase.TELLING;
    private Timers.@Nullable Timer limit;

    /** How far a drain has come. */
    private enum Phase {
        /** Those who are concerned are told. */
        TELLING,
        /** Running turns may end by themselves. */
        WAITING,
        /** Their agents are asked to end. */
        CUTTING_OFF,
        /** What is being delivered goes out. */
        FLUSHING,
        /** Nothing runs. */
        OVER
    }

    /**
     * Prepares a drain.
     *
     * @param lanes the desks there are, by key
     * @param finished told once, when nothing runs any more
     */
    GatewayDrain(
            Workings works, OperatorDesk desk, Supplier<Collection<LaneDesk>> lanes, StopMode mode, Runnable finished) {
        this.works = works;
        this.desk = desk;
        this.lanes = lanes;
        this.mode = mode;
        this.finished = finished;
    }

    StopMode mode() {
        return mode;
    }

    /** Returns the lanes whose turn was cut off. */
    SortedSet<SessionKey> cutOff() {
        return cutOff;
    }

    /** Begins: nothing more is claimed, whoever waits in vain is told, and the chats are. */
    void begin() {
        works.stopping(mode);
        lanes.get().forEach(lane -> works.onLane(lane.key(), d -> d.draining.dismiss()));
        Set<List<String>> told = new HashSet<>();
        for (LaneDesk lane : List.copyOf(works.busy.values())) {
            Optional<SessionSource> people = lane.draining.toBeTold();
            if (people.filter(p -> told.add(address(p.platform(), p.chatId(), p.threadId())))
                    .isPresent()) {
                works.onLane(lane.key(), d -> d.draining.banner(mode));
            }
        }
        List<HomeChannel> channels = isAskedInChat() ? List.of() : RestartRequest.channels(works.settings);
        List<Change> noted = mode == StopMode.RESTART && !channels.isEmpty()
                ? List.of(RestartRequest.planned().put())
                : List.of();
        List<HomeChannel> homes = channels.stream()
                .filter(h -> told.add(address(h.platform(), h.chatId(), h.threadId())))
                .toList();
        desk.announce(homes, mode.homeBanner(), Outgoing.Kind.BANNER, noted, this::await);
    }

    private boolean isAskedInChat() {
        try {
            return mode == StopMode.RESTART
                    && RestartRequest.pending(works.storage.meta())
                            .flatMap(RestartRequest::chat)
                            .isPresent();
        } catch (StorageUnavailable | StorageCorrupt e) {
            // A stop goes on whatever the storage does; at worst the operator's chats are told without need.
            return false;
        }
    }

    private static List<String> address(Platform platform, String chat, Optional<String> thread) {
        return List.of(platform.name(), chat, thread.orElse(""));
    }

    private void await() {
        if (works.busy.isEmpty()) {
            flush();
            return;
        }
        phase = Phase.WAITING;
        // Also where there is no time to wait, those who are cut off are told first (P7.36).
        Duration most = works.settings.turns().drain();
        limit = works.timers.after(
                most.isNegative() ? Duration.ZERO : most, () -> inPhase(Phase.WAITING, this::cutOffRunning));
    }

    private void inPhase(Phase wanted, Runnable step) {
        desk.post(() -> {
            if (phase == wanted) {
                step.run();
            }
        });
    }

    /** A turn or a delivery has ended. */
    void look() {
        if ((phase == Phase.WAITING || phase == Phase.CUTTING_OFF) && works.busy.isEmpty()) {
            if (limit != null) {
                limit.cancel();
            }
            flush();
        } else if (phase == Phase.FLUSHING && isQuiet()) {
            finish();
        }
    }

    private void cutOffRunning() {
        phase = Phase.CUTTING_OFF;
        for (LaneDesk lane : List.copyOf(works.busy.values())) {
            cutOff.add(lane.key());
            works.onLane(lane.key(), d -> d.draining.cutOff(mode));
        }
        works.timers.after(works.settings.turns().grace(), () -> inPhase(Phase.CUTTING_OFF, this::abandonRunning));
    }

    private void abandonRunning() {
        List.copyOf(works.busy.values()).forEach(lane -> works.onLane(lane.key(), d -> d.draining.abandon()));
        works.timers.after(Duration.ZERO, () -> inPhase(Phase.CUTTING_OFF, this::flush));
    }

    private void flush() {
        phase = Phase.FLUSHING;
        if (isQuiet()) {
            finish();
            return;
        }
        works.timers.after(works.settings.turns().grace(), () -> inPhase(Phase.FLUSHING, this::finish));
    }

    private boolean isQuiet() {
        return desk.isQuiet() && lanes.get().stream().allMatch(LaneDesk::isQuiet);
    }

    private void finish() {
        phase = Phase.OVER;
        finished.run();
    }
}
