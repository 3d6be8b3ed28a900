package dev.parley.persistence.sqlite.read;

import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.SessionQuery;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lineage;
import dev.parley.domain.text.Unicode;
import dev.parley.persistence.sqlite.read.SessionLists.Seen;
import dev.parley.persistence.sqlite.read.SessionLists.Window;
import dev.parley.persistence.sqlite.statement.Seconds;
import dev.parley.persistence.sqlite.statement.Statements;
import dev.parley.persistence.sqlite.table.MessageTable;
import dev.parley.persistence.sqlite.table.SessionTable;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jooq.Field;
import org.jooq.SelectField;
import org.jooq.impl.DSL;

/** The sessions of a source that has few: they are found by their source and put in order, while those of others are not looked at. */
final class SourceSessions {
    /** A source with more is found often enough on the way along all sessions. */
    static final int FEW = 1_000;

    private static final Field<Double> LATEST = DSL.field(DSL.name("latest"), MessageTable.TIMESTAMP.getDataType());
    private static final Comparator<Light> LATEST_FIRST = Comparator.comparing(Light::at)
            .thenComparing(Light::startedAt)
            .thenComparing(Light::id)
            .reversed();

    private final Statements statements;
    private final SessionLists lists;
    private final List<Light> inOrder;

    /** What order needs of a session. */
    private record Light(String id, Instant startedAt, Instant at) {
        Cursor place() {
            return new Cursor(at, id);
        }
    }

    private SourceSessions(Statements statements, SessionLists lists, List<Light> inOrder) {
        this.statements = statements;
        this.lists = lists;
        this.inOrder = inOrder;
    }

    /** Returns the sessions of the one source that a query asks for; absent where it asks for others, or where there are many. */
    static Optional<SourceSessions> few(Statements statements, SessionLists lists, SessionQuery query)
            throws SQLException {
        if (query.source().isEmpty()) {
            return Optional.empty();
        }
        String source = Unicode.wellFormed(query.source().get());
        String isMany = lists.sql(
                "list.source.many",
                dsl -> dsl.selectOne()
                        .from(SessionTable.TABLE)
                        .where(SessionTable.SOURCE.eq(value(SessionTable.SOURCE)))
                        .limit(DSL.inline(1))
                        .offset(DSL.inline(FEW)));
        if (statements.any(isMany, source)) {
            return Optional.empty();
        }
        boolean active = query.order() == SessionQuery.Order.LAST_ACTIVE;
        String few = lists.sql(
                active ? "list.source.active" : "list.source",
                dsl -> dsl.select(columns(active))
                        .from(SessionTable.TABLE)
                        .where(SessionTable.SOURCE.eq(value(SessionTable.SOURCE)))
                        .orderBy(SessionTable.STARTED_AT.desc(), SessionTable.ID.desc()));
        List<Light> found = new ArrayList<>();
        List<String> compressed = new ArrayList<>();
        statements.each(
                few,
                row -> {
                    String id = row.text(SessionTable.ID);
                    Instant startedAt = Seconds.read(row.real(SessionTable.STARTED_AT));
                    found.add(new Light(id, startedAt, active ? Seconds.read(row.real(LATEST)) : startedAt));
                    if (active
                            && row.optional(SessionTable.END_REASON)
                                    .filter(Ending.COMPRESSION::equals)
                                    .isPresent()) {
                        compressed.add(id);
                    }
                },
                source);
        if (active) {
            for (String id : compressed) {
                place(statements, lists, found, id);
            }
            found.sort(LATEST_FIRST);
        }
        return Optional.of(new SourceSessions(statements, lists, found));
    }

    private static List<SelectField<?>> columns(boolean active) {
        List<SelectField<?>> columns =
                new ArrayList<>(List.of(SessionTable.ID, SessionTable.STARTED_AT, SessionTable.END_REASON));
        if (active) {
            columns.add(SessionLists.latest().as(LATEST));
        }
        return columns;
    }

    /** A compressed session was active when the last of its chain was. */
    private static void place(Statements statements, SessionLists lists, List<Light> found, String id)
            throws SQLException {
        Optional<Seen> root = lists.find(statements, id);
        OptionalInt place = IntStream.range(0, found.size())
                .filter(i -> found.get(i).id().equals(id))
                .findFirst();
        if (root.isPresent() && place.isPresent()) {
            Instant at = Lineage.lastActiveOfChain(root.get().session(), new StatedFamily(statements, lists));
            Light light = found.get(place.getAsInt());
            found.set(place.getAsInt(), new Light(id, light.startedAt(), at));
        }
    }

    /** Fills the window from behind a place on; returns the places of its rows. */
    List<Cursor> walk(Window window, Optional<Cursor> after) throws SQLException {
        List<Cursor> places = new ArrayList<>();
        boolean begun = window.isWide();
        for (int i = after.map(this::behind).orElse(0); i < inOrder.size() && !window.isFull(); i++) {
            Light light = inOrder.get(i);
            Optional<Seen> seen = lists.find(statements, light.id(), begun);
            if (seen.isPresent() && window.offer(seen.get())) {
                places.add(light.place());
            }
        }
        return places;
    }

    private int behind(Cursor after) {
        for (int i = 0; i < inOrder.size(); i++) {
            if (inOrder.get(i).place().equals(after)) {
                return i + 1;
            }
        }
        Comparator<Cursor> places = Comparator.comparing(Cursor::at).thenComparing(Cursor::id);
        return (int) inOrder.stream()
                .takeWhile(light -> places.compare(light.place(), after) >= 0)
                .count();
    }
}
