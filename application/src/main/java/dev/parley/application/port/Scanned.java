package dev.parley.application.port;

import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.session.Lane;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.Turn;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** Pages made by looking at every row: what a store answers that has no faster way. Holds no more rows than a page has. */
final class Scanned {
    private static final Comparator<Cursor> PLACES =
            Comparator.comparing(Cursor::at).thenComparing(Cursor::id);

    private Scanned() {}

    static Page<Lane> lanes(Consumer<Consumer<Lane>> rows, LaneQuery query) {
        return greatest(
                rows,
                query::matches,
                lane -> new Cursor(lane.entry().updatedAt(), lane.key().value()),
                query.after(),
                query.limit());
    }

    static Page<Turn> turns(Consumer<Consumer<Turn>> rows, TurnQuery query) {
        return greatest(
                rows,
                query::matches,
                turn -> new Cursor(turn.startedAt(), turn.id().value()),
                query.after(),
                query.limit());
    }

    /** The greatest rows by their places, greatest first. */
    private static <T> Page<T> greatest(
            Consumer<Consumer<T>> rows,
            Predicate<T> matches,
            Function<T, Cursor> place,
            Optional<Cursor> after,
            int limit) {
        PriorityQueue<T> kept = new PriorityQueue<>(Comparator.comparing(place, PLACES));
        rows.accept(row -> {
            boolean behind = after.map(cursor -> PLACES.compare(place.apply(row), cursor) < 0)
                    .orElse(true);
            if (behind && matches.test(row)) {
                kept.add(row);
                if (kept.size() > limit + 1) {
                    kept.remove();
                }
            }
        });
        List<T> found = new ArrayList<>(kept);
        found.sort(Comparator.comparing(place, PLACES).reversed());
        return Page.of(found, limit, place);
    }

    static Page<Outgoing> outgoing(Consumer<Consumer<Outgoing>> rows, OutgoingQuery query) {
        return last(
                rows,
                query::matches,
                message -> new Cursor(message.createdAt(), message.id().value()),
                query.after(),
                query.limit());
    }

    static Page<LaneEvent> events(Consumer<Consumer<LaneEvent>> rows, EventQuery query) {
        return last(numbered(rows), row -> query.matches(row.event), Numbered::place, query.after(), query.limit())
                .map(Numbered::event);
    }

    static Page<SessionListing> sessions(List<SessionListing> rows, SessionQuery query, Optional<Cursor> after) {
        int limit = query.limit() < 0 ? Integer.MAX_VALUE - 1 : query.limit();
        Function<SessionListing, Cursor> place = row -> new Cursor(
                query.order() == SessionQuery.Order.STARTED ? row.session().startedAt() : row.lastActive(),
                row.lineageRoot().orElse(row.session().id()).value());
        int from = 0;
        if (after.isPresent()) {
            Cursor cursor = after.get();
            List<String> ids = rows.stream().map(row -> place.apply(row).id()).toList();
            int last = ids.indexOf(cursor.id());
            boolean there = last >= 0 && place.apply(rows.get(last)).equals(cursor);
            from = there
                    ? last + 1
                    : (int) rows.stream()
                            .takeWhile(row -> PLACES.compare(place.apply(row), cursor) >= 0)
                            .count();
        }
        int to = (int) Math.min(rows.size(), from + (long) limit + 1);
        return Page.of(rows.subList(from, to), limit, place);
    }

    /** A line of history and its number among those of its time. */
    private record Numbered(LaneEvent event, long number) {
        Cursor place() {
            return new Cursor(event.at(), Long.toString(number));
        }
    }

    private static Consumer<Consumer<Numbered>> numbered(Consumer<Consumer<LaneEvent>> rows) {
        return each -> {
            Map<Instant, Long> numbers = new HashMap<>();
            rows.accept(event -> each.accept(new Numbered(event, numbers.merge(event.at(), 1L, Long::sum))));
        };
    }

    /** The rows that were stored last, last stored first: those before the one a page ended with, where that is still there. */
    private static <T> Page<T> last(
            Consumer<Consumer<T>> rows,
            Predicate<T> matches,
            Function<T, Cursor> place,
            Optional<Cursor> after,
            int limit) {
        Deque<T> kept = new ArrayDeque<>();
        Deque<T> older = new ArrayDeque<>();
        boolean[] met = new boolean[1];
        rows.accept(row -> {
            if (met[0]) {
                return;
            }
            if (after.filter(place.apply(row)::equals).isPresent()) {
                met[0] = true;
            } else if (matches.test(row)) {
                keep(kept, row, limit);
                if (after.filter(cursor -> place.apply(row).at().isBefore(cursor.at()))
                        .isPresent()) {
                    keep(older, row, limit);
                }
            }
        });
        List<T> found = new ArrayList<>(after.isEmpty() || met[0] ? kept : older);
        Collections.reverse(found);
        return Page.of(found, limit, place);
    }

    private static <T> void keep(Deque<T> kept, T row, int limit) {
        kept.addLast(row);
        if (kept.size() > limit + 1) {
            kept.removeFirst();
        }
    }

    static List<Outgoing> sentTo(
            Consumer<Consumer<Outgoing>> rows,
            Platform platform,
            String chatId,
            Optional<OutgoingId> after,
            int limit) {
        List<Outgoing> all = new ArrayList<>();
        List<Outgoing> behind = new ArrayList<>();
        boolean[] met = new boolean[1];
        rows.accept(message -> {
            if (after.filter(message.id()::equals).isPresent()) {
                met[0] = true;
            } else if (message.platform().equals(platform)
                    && message.chatId().equals(chatId)
                    && (message.state() == Outgoing.State.DELIVERED || message.state() == Outgoing.State.ATTEMPTED)) {
                List<Outgoing> into = met[0] ? behind : all;
                if (into.size() < limit) {
                    into.add(message);
                }
            }
        });
        return met[0] ? behind : all;
    }
}
