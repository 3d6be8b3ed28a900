package dev.parley.application.port;

import dev.parley.domain.session.Session;
import dev.parley.domain.session.Viewer;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Which sessions a list shows (storage 3.9). Filters, order and window look at the session itself, before it is projected; it
 * is projected only where the viewer may see the tip too.
 *
 * @param source only this source; absent or empty means all
 * @param exclude not these sources
 * @param limit at most so many rows; negative means all
 * @param offset rows to leave out first
 * @param children whether delegates and continuations are shown as rows of their own; switches projection off
 * @param project whether a compressed chain is shown with its tip's columns
 * @param order the order of rows
 * @param titledOnly whether sessions without a title are left out
 * @param text only sessions whose id or title contains this, without regard to ASCII case
 * @param viewer who asks
 * @param archived whether sessions are shown too that were put away
 * @param from only sessions that began at or after this time
 * @param to only sessions that began before this time
 */
public record SessionQuery(
        Optional<String> source,
        Set<String> exclude,
        int limit,
        int offset,
        boolean children,
        boolean project,
        Order order,
        boolean titledOnly,
        Optional<String> text,
        Viewer viewer,
        boolean archived,
        Optional<Instant> from,
        Optional<Instant> to) {

    public SessionQuery {
        exclude = Set.copyOf(exclude);
        source = source.filter(s -> !s.isEmpty());
    }

    /** The order of a list. */
    public enum Order {
        /** Newest start first, then greatest id. */
        STARTED,
        /** Latest activity of a session or its continuations first, then newest start, then greatest id. */
        LAST_ACTIVE
    }

    /** Returns the operator's list with the usual settings: 20 rows, projected, newest start first. */
    public static SessionQuery usual() {
        return new SessionQuery(
                Optional.empty(),
                Set.of(),
                20,
                0,
                false,
                true,
                Order.STARTED,
                false,
                Optional.empty(),
                Viewer.operator(),
                false,
                Optional.empty(),
                Optional.empty());
    }

    /** Returns this with another window. */
    public SessionQuery window(int nextLimit, int nextOffset) {
        return new SessionQuery(
                source,
                exclude,
                nextLimit,
                nextOffset,
                children,
                project,
                order,
                titledOnly,
                text,
                viewer,
                archived,
                from,
                to);
    }

    /** Returns this with other sources. */
    public SessionQuery sources(Optional<String> only, Set<String> not) {
        return new SessionQuery(
                only, not, limit, offset, children, project, order, titledOnly, text, viewer, archived, from, to);
    }

    /** Returns this with children shown or not, and projected or not. */
    public SessionQuery shape(boolean withChildren, boolean projected) {
        return new SessionQuery(
                source,
                exclude,
                limit,
                offset,
                withChildren,
                projected,
                order,
                titledOnly,
                text,
                viewer,
                archived,
                from,
                to);
    }

    /** Returns this in another order. */
    public SessionQuery ordered(Order next) {
        return new SessionQuery(
                source, exclude, limit, offset, children, project, next, titledOnly, text, viewer, archived, from, to);
    }

    /** Returns this with a title or text filter. */
    public SessionQuery matching(boolean titled, Optional<String> nextText) {
        return new SessionQuery(
                source, exclude, limit, offset, children, project, order, titled, nextText, viewer, archived, from, to);
    }

    /** Returns this for another viewer. */
    public SessionQuery seenBy(Viewer who) {
        return new SessionQuery(
                source, exclude, limit, offset, children, project, order, titledOnly, text, who, archived, from, to);
    }

    /** Returns this with the sessions that were put away. */
    public SessionQuery withArchived() {
        return new SessionQuery(
                source, exclude, limit, offset, children, project, order, titledOnly, text, viewer, true, from, to);
    }

    /** Returns this for sessions that began in a span of time. */
    public SessionQuery between(Optional<Instant> first, Optional<Instant> end) {
        return new SessionQuery(
                source,
                exclude,
                limit,
                offset,
                children,
                project,
                order,
                titledOnly,
                text,
                viewer,
                archived,
                first,
                end);
    }

    /** Returns whether the session began in the span of time that is asked for. */
    public boolean isInTime(Session session) {
        return from.filter(session.startedAt()::isBefore).isEmpty()
                && to.filter(end -> !session.startedAt().isBefore(end)).isEmpty();
    }
}
