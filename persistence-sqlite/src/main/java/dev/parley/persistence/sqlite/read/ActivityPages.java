package dev.parley.persistence.sqlite.read;

import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.application.port.Cursor;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lineage;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.persistence.sqlite.read.SessionLists.Seen;
import dev.parley.persistence.sqlite.read.SessionLists.Window;
import dev.parley.persistence.sqlite.statement.Seconds;
import dev.parley.persistence.sqlite.statement.Statements;
import dev.parley.persistence.sqlite.table.ExtraTables;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Makes pages by activity: walks the index of activity from a place on. The first session of a chain that is met is the one that was
 * active last, so it decides the place of the whole chain; sessions of one time are sorted here.
 */
final class ActivityPages {
    private static final int HOPS = 100;

    private final Statements statements;
    private final SessionLists lists;
    private final Set<SessionId> met = new HashSet<>();
    private final List<Cursor> places = new ArrayList<>();
    private Optional<Cursor> after = Optional.empty();
    private Optional<Seen> last = Optional.empty();
    private OptionalDouble top = OptionalDouble.empty();

    ActivityPages(Statements statements, SessionLists lists) {
        this.statements = statements;
        this.lists = lists;
    }

    /** Fills the window from behind a place on; returns the places of its rows. */
    List<Cursor> walk(Window window, Optional<Cursor> place) throws SQLException {
        after = place;
        if (place.isPresent()) {
            begin(place.get());
        }
        boolean begun = window.isWide();
        String sql = lists.sql(
                "list.active" + (top.isPresent() ? ".after" : "") + (begun ? ".begun" : ""),
                dsl -> lists.seenByActivity(dsl, begun)
                        .where(
                                top.isPresent()
                                        ? ExtraTables.Sessions.LAST_ACTIVE.le(value(ExtraTables.Sessions.LAST_ACTIVE))
                                        : ExtraTables.Sessions.LAST_ACTIVE.isNotNull())
                        .orderBy(ExtraTables.Sessions.LAST_ACTIVE.desc()));
        List<Seen> together = new ArrayList<>();
        double[] time = {0};
        Statements.Step step = row -> {
            double at = row.real(ExtraTables.Sessions.LAST_ACTIVE);
            if (at != time[0]) {
                show(window, together, time[0]);
                together.clear();
                time[0] = at;
            }
            Seen.read(row, begun).ifPresent(together::add);
            return !window.isFull();
        };
        if (top.isPresent()) {
            statements.walk(sql, step, top.getAsDouble());
        } else {
            statements.walk(sql, step);
        }
        show(window, together, time[0]);
        return places;
    }

    /** The session of the place tells it exactly, unless it has been active since. */
    private void begin(Cursor place) throws SQLException {
        Optional<Seen> there = lists.find(statements, place.id());
        if (there.isPresent()) {
            double at = ofChain(there.get());
            if (Seconds.read(at).equals(place.at())) {
                last = there;
                top = OptionalDouble.of(at);
                return;
            }
        }
        top = OptionalDouble.of(Seconds.write(place.at()));
    }

    private void show(Window window, List<Seen> together, double time) throws SQLException {
        List<Seen> rows = new ArrayList<>();
        for (Seen each : together) {
            chain(each, rows);
        }
        rows.sort(ActivityOrder.NEWEST_FIRST);
        for (Seen row : rows) {
            if (isBehind(row, time) && window.offer(row)) {
                places.add(new Cursor(Seconds.read(time), row.session().id().value()));
            }
        }
    }

    private boolean isBehind(Seen row, double time) throws SQLException {
        if (after.isPresent() && ofChain(row) != time) {
            // Its chain was active later than this walk begins, so it stands on an earlier page.
            return false;
        }
        if (top.isEmpty() || time != top.getAsDouble()) {
            return true;
        }
        return last.isPresent()
                ? ActivityOrder.NEWEST_FIRST.compare(row, last.get()) > 0
                : row.session().id().value().compareTo(after.map(Cursor::id).orElse("")) < 0;
    }

    /** Adds a session and those it goes on from. */
    private void chain(Seen latest, List<Seen> rows) throws SQLException {
        Optional<Seen> each = Optional.of(latest);
        for (int hop = 0; each.isPresent() && hop <= HOPS; hop++) {
            Seen seen = each.get();
            if (!met.add(seen.session().id())) {
                return;
            }
            rows.add(seen);
            each = seen.isContinuation()
                    ? lists.find(
                            statements,
                            seen.session().parent().map(SessionId::value).orElse(""))
                    : Optional.empty();
        }
    }

    /** Returns the latest activity that the index has of a session and of those that go on from it. */
    private double ofChain(Seen root) throws SQLException {
        double latest = indexed(root.session().id());
        if (!root.session().endedBy(Ending.COMPRESSION)) {
            return latest;
        }
        double[] greatest = {latest};
        Lineage.lastActiveOfChain(root.session(), new StatedFamily(statements, lists) {
            @Override
            public Instant lastActive(Session session) {
                double at = answer(() -> indexed(session.id()));
                greatest[0] = Math.max(greatest[0], at);
                return Seconds.read(at);
            }
        });
        return greatest[0];
    }

    private double indexed(SessionId session) throws SQLException {
        return statements
                .first(
                        lists.sql(
                                "list.indexed",
                                dsl -> dsl.select(ExtraTables.Sessions.LAST_ACTIVE)
                                        .from(ExtraTables.Sessions.TABLE)
                                        .where(ExtraTables.Sessions.SESSION_ID.eq(
                                                value(ExtraTables.Sessions.SESSION_ID)))
                                        .and(ExtraTables.Sessions.LAST_ACTIVE.isNotNull())),
                        row -> row.real(ExtraTables.Sessions.LAST_ACTIVE),
                        session.value())
                .orElse(Double.NEGATIVE_INFINITY);
    }
}
