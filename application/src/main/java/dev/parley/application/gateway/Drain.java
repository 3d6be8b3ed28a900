package dev.parley.application.gateway;

import dev.parley.application.actor.Timing;
import dev.parley.application.delivery.Deliveries;
import dev.parley.application.lane.LaneInput;
import dev.parley.application.lane.Stopping;
import dev.parley.application.port.Meta;
import dev.parley.application.port.Timers;
import dev.parley.application.recovery.RestartRequest;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.domain.change.Change;
import dev.parley.domain.context.HomeChannel;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The way of a gateway from its last running turn to nothing running (P7.36 to P7.43): tells the chats, waits for running turns, cuts
 * off what still runs at the time-out, and lets what is being delivered go out. It waits for no store: the operator's chats are told
 * beside it, and where they cannot be told in time it goes on. Used by the gateway's own actor.
 */
final class Drain {
    private final GatewayActor actor;
    private final StoreActor store;
    private final Timing timing;
    private final LaneRegistry lanes;
    private final RunningLanes running;
    private final Deliveries deliveries;
    private final Meta meta;
    private final GatewaySettings settings;
    private final StopMode mode;
    private final Runnable finished;
    private final SortedSet<SessionKey> cutOff = new TreeSet<>();
    private Step step = Step.TELLING;
    /** Whether it is stored what the operator's chats are told. */
    private boolean told;

    private Timers.@Nullable Timer limit;

    /** How far a drain has come. */
    private enum Step {
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
     * @param finished told once, when nothing runs any more
     */
    Drain(
            GatewayActor actor,
            StoreActor store,
            Timing timing,
            LaneRegistry lanes,
            RunningLanes running,
            Deliveries deliveries,
            Meta meta,
            GatewaySettings settings,
            StopMode mode,
            Runnable finished) {
        this.actor = actor;
        this.store = store;
        this.timing = timing;
        this.lanes = lanes;
        this.running = running;
        this.deliveries = deliveries;
        this.meta = meta;
        this.settings = settings;
        this.mode = mode;
        this.finished = finished;
    }

    StopMode mode() {
        return mode;
    }

    /** A turn of a lane has succeeded, so it was not cut off, though it was told to end. */
    void succeeded(SessionKey lane) {
        cutOff.remove(lane);
    }

    /** Returns the lanes whose turn was cut off. */
    SortedSet<SessionKey> cutOff() {
        return cutOff;
    }

    /** Begins: whoever waits in vain is told, and the chats are. Nothing more is claimed since the phase says that it stops. */
    void begin() {
        lanes.tellEach(new LaneInput.Dismissed());
        Set<List<String>> chats = new HashSet<>();
        Stopping stopping = mode.stopping();
        for (SessionKey lane : running.keys()) {
            Optional<SessionSource> people = lanes.toBeTold(lane);
            if (people.filter(p -> chats.add(address(p.platform(), p.chatId(), p.threadId())))
                    .isPresent()) {
                lanes.tell(lane, new LaneInput.Bannered(stopping));
            }
        }
        store.post(() -> tellOperators(chats));
        await();
    }

    /** Tells the operator's chats, but for those that are told as somebody's; a step of the store's actor. */
    private void tellOperators(Set<List<String>> chats) {
        List<HomeChannel> channels = isAskedInChat() ? List.of() : RestartRequest.channels(settings.delivery());
        List<Change> noted = mode == StopMode.RESTART && !channels.isEmpty()
                ? List.of(RestartRequest.planned().put())
                : List.of();
        List<HomeChannel> homes = channels.stream()
                .filter(h -> !chats.contains(address(h.platform(), h.chatId(), h.threadId())))
                .toList();
        store.announce(homes, mode.homeBanner(), Outgoing.Kind.BANNER, noted, () -> actor.post(this::told));
    }

    private void told() {
        told = true;
        look();
    }

    private boolean isAskedInChat() {
        return mode == StopMode.RESTART
                && RestartRequest.pending(meta).flatMap(RestartRequest::chat).isPresent();
    }

    private static List<String> address(Platform platform, String chat, Optional<String> thread) {
        return List.of(platform.name(), chat, thread.orElse(""));
    }

    private void await() {
        if (running.size() == 0) {
            flush();
            return;
        }
        step = Step.WAITING;
        // Also where there is no time to wait, those who are cut off are told first (P7.36).
        limit = after(settings.turns().drain(), Step.WAITING, this::cutOffRunning);
    }

    private Timers.Timer after(Duration pause, Step wanted, Runnable next) {
        return timing.after(
                pause,
                () -> actor.post(() -> {
                    if (step == wanted) {
                        next.run();
                    }
                }));
    }

    /** A turn or a delivery has ended. */
    void look() {
        if ((step == Step.WAITING || step == Step.CUTTING_OFF) && running.size() == 0) {
            if (limit != null) {
                limit.cancel();
            }
            flush();
        } else if (step == Step.FLUSHING && isQuiet()) {
            finish();
        }
    }

    private boolean isQuiet() {
        return told && deliveries.isQuiet();
    }

    private void cutOffRunning() {
        step = Step.CUTTING_OFF;
        for (SessionKey lane : running.keys()) {
            if (lanes.hasTurn(lane)) {
                cutOff.add(lane);
            }
            lanes.tell(lane, new LaneInput.CutOff(mode.stopping()));
        }
        after(settings.turns().grace(), Step.CUTTING_OFF, this::abandonRunning);
    }

    private void abandonRunning() {
        running.keys().forEach(lane -> lanes.tell(lane, new LaneInput.Abandoned()));
        after(Duration.ZERO, Step.CUTTING_OFF, this::flush);
    }

    private void flush() {
        step = Step.FLUSHING;
        if (isQuiet()) {
            finish();
            return;
        }
        after(settings.turns().grace(), Step.FLUSHING, this::finish);
    }

    private void finish() {
        step = Step.OVER;
        finished.run();
    }
}
