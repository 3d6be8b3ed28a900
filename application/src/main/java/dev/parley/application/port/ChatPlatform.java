package dev.parley.application.port;

import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A place where people talk: receives messages and sends answers. */
public interface ChatPlatform {
    /** Returns the platform's name. */
    Platform name();

    /** Returns what this platform can do. */
    Traits traits();

    /**
     * Begins to receive. Messages go to {@code listener} from any thread; the platform tells its own server that a message
     * was received only after {@link InboundListener#receive} has completed with an admission. The platform calls {@link
     * InboundListener#connected} as soon as it can send, within this call or later; nothing is sent before.
     *
     * <p>Where it throws anything but {@code InvalidRequest} nothing is left running, and it is called again later.
     *
     * @throws InvalidRequest where the platform cannot start as it is configured; it is not called again
     */
    void start(InboundListener listener);

    /**
     * Sends a message; returns once the platform has taken it. Called again with the same id where it is not known whether the
     * first try arrived. What a message says beside its text, such as its reply target, is of use where the platform can show it.
     *
     * @throws DeliveryFailed where it is known that the platform did not take it; anything else it throws says that this is not known
     */
    void send(Outgoing message);

    /**
     * Returns the platforms in whose names this one hands in messages beside its own: messages to such a platform are sent
     * through it where that platform has none of its own. Usually none.
     */
    default Set<Platform> bridges() {
        return Set.of();
    }

    /** Returns where a started platform can be reached, for display; absent where it has no address or is not started. */
    default Optional<URI> address() {
        return Optional.empty();
    }

    /**
     * Returns this platform's side of an ability that not every platform has, such as those of {@code application.ability}; absent
     * where it lacks it. Asked once, when the gateway is built. What an ability does is best effort and never holds up what is sent.
     */
    default <T> Optional<T> as(Class<T> ability) {
        return ability.isInstance(this) ? Optional.of(ability.cast(this)) : Optional.empty();
    }

    /**
     * Returns whether several gateways may be connected as this platform at once, as those that are called may be. Otherwise one of the
     * gateways that share a store starts it, and another one after that has ended. Asked once, when the gateway is built.
     */
    default boolean isShared() {
        return false;
    }

    /** Stops receiving and sending; does nothing the second time. May be started again where gateways share a store. */
    void stop();

    /**
     * What a platform can do.
     *
     * @param mentionsNeedRawIds whether a person is mentioned by raw id, so that ids must not be redacted in prompts (X9.8)
     * @param personalDataSafe whether ids may be redacted in prompts (X9.8)
     * @param recognisesRepeats whether a message sent twice with one id is shown once
     * @param cutting how its apps cut up what people write; absent where they do not
     * @param carriesFiles whether what it sends carries the attachments of a message; elsewhere they are named in the text
     */
    record Traits(
            boolean mentionsNeedRawIds,
            boolean personalDataSafe,
            boolean recognisesRepeats,
            Optional<Cutting> cutting,
            boolean carriesFiles) {
        /** Traits of a platform whose apps cut nothing up, and that carries no files. */
        public Traits(boolean mentionsNeedRawIds, boolean personalDataSafe, boolean recognisesRepeats) {
            this(mentionsNeedRawIds, personalDataSafe, recognisesRepeats, Optional.empty(), false);
        }

        /** Returns this for a platform whose apps cut up what people write. */
        public Traits cutting(Cutting how) {
            return new Traits(mentionsNeedRawIds, personalDataSafe, recognisesRepeats, Optional.of(how), carriesFiles);
        }

        /** Returns this for a platform that sends the attachments of a message with it. */
        public Traits carryingFiles() {
            return new Traits(mentionsNeedRawIds, personalDataSafe, recognisesRepeats, cutting, true);
        }
    }

    /**
     * How a platform's apps cut up a long text, or send files that belong together: as messages that follow each other at once. The
     * gateway stores each and has the agent answer them as one.
     *
     * @param from from how many UTF-16 units on a message may be the beginning of a longer one
     * @param within how soon the rest follows
     * @param files how soon a message with a file is followed by the next of those that belong together; absent where its apps send
     *     all of them as one message
     */
    record Cutting(int from, Duration within, Optional<Duration> files) {
        public Cutting {
            if (from < 1 || !isSome(within) || !files.map(Cutting::isSome).orElse(true)) {
                throw new IllegalArgumentException("A text is cut at some length, and its rest follows soon, unlike "
                        + from + ", " + within + " and " + files);
            }
        }

        /** Texts are cut up; files that belong together are one message. */
        public Cutting(int from, Duration within) {
            this(from, within, Optional.empty());
        }

        private static boolean isSome(Duration time) {
            return !time.isNegative() && !time.isZero();
        }

        /** Returns how soon the rest of a message follows, where it may have one. */
        public Optional<Duration> rest(Inbound message) {
            return files.filter(time -> !message.attachments().isEmpty())
                    .or(() -> message.text().length() >= from ? Optional.of(within) : Optional.empty());
        }
    }
}
