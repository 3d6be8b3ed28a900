package dev.parley.application.lane;

import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Inbound;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Which of a lane's waiting messages make up its next turns (Q8.14 to Q8.20): a turn that resumes comes first, then commands that
 * a crash cut off, then what is run again with {@code /retry}, each by itself and what was said first in front, then ordinary
 * messages, of which neighbours by the same sender are one item without losing a word, then what was given with {@code /queue}, each
 * by itself and in order. Nothing is merged across another sender's message.
 */
final class FollowUps {
    private FollowUps() {}

    /**
     * One item: what a turn takes.
     *
     * @param parts the messages, in order; never empty
     */
    public record Item(List<Inbound> parts) {
        public Item {
            parts = List.copyOf(parts);
        }

        /** Returns the kind of its first message. */
        public Inbound.Kind kind() {
            return parts.get(0).kind();
        }

        /** Returns the message it ends with: the one that is answered. */
        public Inbound last() {
            return parts.get(parts.size() - 1);
        }

        /** Returns the texts as one: plain texts by lines, captions by paragraphs without repeating one (Q8.15, Q8.16). */
        public String text() {
            String merged = parts.get(0).text();
            boolean media = !parts.get(0).attachments().isEmpty();
            for (Inbound part : parts.subList(1, parts.size())) {
                media |= !part.attachments().isEmpty();
                merged = media ? caption(merged, part.text()) : joined(merged, part.text());
            }
            return merged;
        }

        /** Returns everything that was attached, in order. */
        public List<Attachment> attachments() {
            return parts.stream().flatMap(p -> p.attachments().stream()).toList();
        }
    }

    /**
     * How neighbours are merged.
     *
     * @param within the longest pause between neighbours; absent where any are merged (Q8.17)
     * @param atMost the longest time from the first to the last (Q8.18)
     * @param rest how soon a platform sends the rest of a message that it cuts up; absent where a message is whole
     */
    public record Merging(Optional<Duration> within, Duration atMost, Function<Inbound, Optional<Duration>> rest) {
        /** Everything by one sender is one item. */
        public static final Merging ALL = new Merging(Optional.empty(), Duration.ZERO, whole -> Optional.empty());

        private boolean isRest(Inbound last, Duration pause) {
            return rest.apply(last).filter(time -> pause.compareTo(time) <= 0).isPresent();
        }
    }

    /**
     * Returns the items in the order they run.
     *
     * @param waiting admitted messages, by ordinal
     * @param merging how ordinary messages are merged
     * @param sender who wrote a message; absent where its platform does not say
     */
    public static List<Item> items(
            List<Inbound> waiting, Merging merging, Function<SessionSource, Optional<String>> sender) {
        List<Item> items = new ArrayList<>();
        of(waiting, Inbound.Kind.RESUME).forEach(i -> items.add(new Item(List.of(i))));
        of(waiting, Inbound.Kind.COMMAND).forEach(i -> items.add(new Item(List.of(i))));
        List<Inbound> retried = new ArrayList<>(of(waiting, Inbound.Kind.RETRIED));
        // Each took back what was said before the one that an earlier /retry took back.
        Collections.reverse(retried);
        retried.forEach(i -> items.add(new Item(List.of(i))));
        List<Inbound> open = new ArrayList<>();
        for (Inbound next : of(waiting, Inbound.Kind.MESSAGE, Inbound.Kind.STEER)) {
            if (!open.isEmpty() && !belongs(open, next, merging, sender)) {
                items.add(new Item(open));
                open.clear();
            }
            open.add(next);
        }
        if (!open.isEmpty()) {
            items.add(new Item(open));
        }
        of(waiting, Inbound.Kind.QUEUED).forEach(i -> items.add(new Item(List.of(i))));
        return List.copyOf(items);
    }

    private static List<Inbound> of(List<Inbound> waiting, Inbound.Kind... kinds) {
        List<Inbound.Kind> wanted = List.of(kinds);
        return waiting.stream().filter(i -> wanted.contains(i.kind())).toList();
    }

    private static boolean belongs(
            List<Inbound> open, Inbound next, Merging merging, Function<SessionSource, Optional<String>> sender) {
        Inbound last = open.get(open.size() - 1);
        if (!isOneSender(sender.apply(last.source()), sender.apply(next.source()), next.source())) {
            return false;
        }
        Duration pause = Duration.between(last.receivedAt(), next.receivedAt());
        return merging.within().isEmpty()
                || merging.isRest(last, pause)
                || (pause.compareTo(merging.within().get()) <= 0
                        && Duration.between(open.get(0).receivedAt(), next.receivedAt())
                                        .compareTo(merging.atMost())
                                <= 0);
    }

    /** Somebody who is not known is nobody in particular, but in a direct chat, where nobody else writes. */
    private static boolean isOneSender(Optional<String> one, Optional<String> other, SessionSource source) {
        return one.equals(other) && (one.isPresent() || source.chatType().isDm());
    }

    private static String joined(String first, String second) {
        if (first.isEmpty() || second.isEmpty()) {
            return first + second;
        }
        return first + "\n" + second;
    }

    private static String caption(String first, String second) {
        if (first.isBlank() || second.isBlank()) {
            return first.isBlank() ? second : first;
        }
        boolean known = Arrays.stream(first.split("\\n\\s*\\n"))
                .map(String::strip)
                .collect(Collectors.toSet())
                .contains(second.strip());
        return known ? first : first + "\n\n" + second;
    }
}
