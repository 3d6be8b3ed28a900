package dev.parley.adapter.kit.flow;

import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.adapter.kit.settings.SettingsReader;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.PrecedingMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * What was said in groups and was not for the agent, until something of the same chat and thread is: then it goes with that, once. Only
 * what people said who may talk to the gateway is kept, only in memory, and only the latest of a day; nothing outlives the process. Safe
 * for concurrent use.
 */
public final class Overheard {
    /** The name of the setting that switches it on, for {@code PlatformProvider.settings()}. */
    public static final String SETTING = "observe_unmentioned";

    /** How many messages of a place are kept at most. */
    static final int MOST_MESSAGES = 50;
    /** How much of a message is kept at most, in UTF-16 units. */
    static final int LONGEST = 2_000;
    /** How much of a place is kept at most, in UTF-16 units. */
    static final int MOST_OF_A_PLACE = 20_000;
    /** How much is kept at most in all, in UTF-16 units: a few megabytes. */
    static final int MOST = 1_000_000;
    /** How long something is kept at most. */
    static final Duration KEPT = Duration.ofDays(1);
    /** What a message weighs beside its text. */
    private static final int OVERHEAD = 100;

    private final boolean on;
    private final InboundListener listener;
    private final InstantSource clock;
    /** By place; the one that was spoken in last is the last one. */
    private final Map<Place, List<Said>> places = new LinkedHashMap<>(16, 0.75f, true);

    private int weight;

    /**
     * Keeps nothing yet.
     *
     * @param on whether anything is kept at all
     * @param listener says who may talk
     * @param clock time
     */
    public Overheard(boolean on, InboundListener listener, InstantSource clock) {
        this.on = on;
        this.listener = listener;
        this.clock = clock;
    }

    /**
     * Returns whether a platform's section switches it on; off where it does not say.
     *
     * @throws InvalidRequest where the value is neither true nor false
     */
    public static boolean isOn(ProviderSettings settings) {
        return new SettingsReader(settings).flag(SETTING, false);
    }

    private record Place(String chat, Optional<String> thread) {
        /** A thread that begins with a message has nothing before it; what precedes it stands in the chat. */
        static Place of(SessionSource source) {
            return new Place(source.chatId(), source.threadId().filter(thread -> !source.autoThreadCreated()));
        }
    }

    private record Said(PrecedingMessage message, Optional<String> userId, Instant at) {
        int weight() {
            return message.text().length() + OVERHEAD;
        }

        boolean is(String id) {
            return message.messageId().filter(id::equals).isPresent();
        }

        Said saying(String text) {
            PrecedingMessage now =
                    new PrecedingMessage(message.author(), cut(text), message.sentAt(), message.messageId());
            return new Said(now, userId, at);
        }
    }

    /**
     * Keeps a message that was not for the agent where its sender may talk; completes once that is known, with the message settled.
     * What comes with it is kept by its name alone.
     */
    public CompletionStage<Settlement> keep(ReadMessage message) {
        String text = words(message);
        if (!on || text.isBlank()) {
            return CompletableFuture.completedFuture(Settlement.DONE);
        }
        return listener.mayTalk(message.source()).thenApply(may -> {
            if (may) {
                add(message, text);
            }
            return Settlement.DONE;
        });
    }

    private static String words(ReadMessage message) {
        Stream<String> files = message.files().stream()
                .map(file ->
                        "[" + file.kind() + file.name().map(name -> ": " + name).orElse("") + "]");
        return String.join(
                " ",
                Stream.concat(Stream.of(message.text()), files)
                        .filter(words -> !words.isBlank())
                        .toList());
    }

    private synchronized void add(ReadMessage message, String text) {
        Instant now = clock.instant();
        Said said = new Said(
                new PrecedingMessage(
                        message.source().userName(), cut(text), message.sentAt(), Optional.of(message.messageId())),
                message.source().userId(),
                message.sentAt().filter(at -> at.isBefore(now)).orElse(now));
        Place place = Place.of(message.source());
        List<Said> here = new ArrayList<>(places.getOrDefault(place, List.of()));
        if (here.stream().anyMatch(each -> each.is(message.messageId()))) {
            return;
        }
        here.add(said);
        put(place, here);
    }

    /** What was taken, until it is known whether it got to the agent. */
    static final class Taken {
        private final Place place;
        private final List<Said> said;

        private Taken(Place place, List<Said> said) {
            this.place = place;
            this.said = said;
        }

        /** Returns the messages, oldest first. */
        List<PrecedingMessage> messages() {
            return said.stream().map(Said::message).toList();
        }
    }

    /** Takes what was said before a message in its place; nothing for a command, which has no use for it. */
    synchronized Taken takeBefore(ReadMessage message) {
        Place place = Place.of(message.source());
        if (message.text().startsWith("/")) {
            return new Taken(place, List.of());
        }
        List<Said> here = fresh(places.getOrDefault(place, List.of()));
        put(place, List.of());
        return new Taken(place, here);
    }

    /** Keeps again what was taken for a message that did not get to the agent. */
    synchronized void giveBack(Taken taken) {
        put(
                taken.place,
                Stream.concat(taken.said.stream(), places.getOrDefault(taken.place, List.of()).stream())
                        .toList());
    }

    /** Learns what happened to a message: what is deleted is forgotten, what its writer has edited is kept as it is now. */
    public synchronized void happened(SessionSource source, ChatEvent event) {
        if (event instanceof ChatEvent.Deleted deleted) {
            change(source, each -> each.is(deleted.messageId()) ? Optional.empty() : Optional.of(each));
        } else if (event instanceof ChatEvent.Edited edited) {
            change(
                    source,
                    each -> each.is(edited.messageId()) && each.userId().equals(source.userId())
                            ? Optional.of(each.saying(edited.text()))
                            : Optional.of(each));
        }
    }

    /** Returns whether something happened to a message that is kept here, and so to nothing that the gateway knows. */
    public synchronized boolean has(SessionSource source, ChatEvent event) {
        Optional<String> changed = event instanceof ChatEvent.Deleted deleted
                ? Optional.of(deleted.messageId())
                : event instanceof ChatEvent.Edited edited ? Optional.of(edited.messageId()) : Optional.empty();
        return changed.filter(id -> places.entrySet().stream()
                        .filter(entry -> entry.getKey().chat().equals(source.chatId()))
                        .flatMap(entry -> entry.getValue().stream())
                        .anyMatch(said -> said.is(id)))
                .isPresent();
    }

    private interface Change {
        Optional<Said> of(Said said);
    }

    /** An event does not always say which thread its message stands in. */
    private void change(SessionSource source, Change change) {
        for (Place place : List.copyOf(places.keySet())) {
            if (place.chat().equals(source.chatId())) {
                put(
                        place,
                        places.getOrDefault(place, List.of()).stream()
                                .map(change::of)
                                .flatMap(Optional::stream)
                                .toList());
            }
        }
    }

    private void put(Place place, List<Said> said) {
        weight -= weight(Optional.ofNullable(places.remove(place)).orElse(List.of()));
        List<Said> kept = fresh(said);
        int from = Math.max(0, kept.size() - MOST_MESSAGES);
        while (weight(kept.subList(from, kept.size())) > MOST_OF_A_PLACE) {
            from++;
        }
        List<Said> latest = List.copyOf(kept.subList(from, kept.size()));
        if (!latest.isEmpty()) {
            places.put(place, latest);
            weight += weight(latest);
        }
        while (weight > MOST) {
            Place longestSilent = places.keySet().iterator().next();
            weight -= weight(Optional.ofNullable(places.remove(longestSilent)).orElse(List.of()));
        }
    }

    private List<Said> fresh(List<Said> said) {
        Instant oldest = clock.instant().minus(KEPT);
        return said.stream().filter(each -> !each.at().isBefore(oldest)).toList();
    }

    private static int weight(List<Said> said) {
        return said.stream().mapToInt(Said::weight).sum();
    }

    private static String cut(String text) {
        if (text.length() <= LONGEST) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
        return text.substring(0, end) + "…";
    }
}
