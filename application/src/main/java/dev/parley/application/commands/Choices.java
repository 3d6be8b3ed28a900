package dev.parley.application.commands;

import dev.parley.application.command.CommandContext;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lineage;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.text.Blanks;
import dev.parley.domain.text.OneLine;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The sessions that one who writes in a chat may see, as lists show them (Z12.3, Z12.4, Z12.7). */
final class Choices {
    /** The reason of the line of history of a lane that went back to a session. */
    static final String RESUMED = "resume";

    private static final int PREVIOUS = 5;
    private static final int TITLED = 10;
    private static final int LOOKED_AT = 200;
    private static final int PREVIEW = 40;
    private static final String TOOL = "tool";
    private static final String DELEGATE = "\"_delegate_from\"";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm");

    private Choices() {}

    /**
     * A session in a list.
     *
     * @param session the session
     * @param preview the beginning of something said in it, on one line
     * @param place what it is to this lane
     */
    record Choice(Session session, String preview, Place place) {}

    /** What a session is to a lane. */
    enum Place {
        /** The lane has it now. */
        HERE(", the session of this chat"),
        /** The lane had it before. */
        BEFORE(", previous session of this chat"),
        /** Neither. */
        ELSEWHERE("");

        private final String words;

        Place(String words) {
            this.words = words;
        }
    }

    /**
     * Returns what {@code /resume} offers: this lane's session first where its next message would begin another, then its previous
     * ones, then titled ones, each newest first. A session that the lane has just gone back to keeps its number until something
     * else happens.
     */
    static List<Choice> toResume(CommandContext context, Viewer viewer, boolean allPlatforms) {
        List<Choice> choices = new ArrayList<>();
        here(context, viewer).ifPresent(choices::add);
        choices.addAll(previous(context));
        Set<SessionId> shown = new HashSet<>();
        choices.forEach(choice -> shown.add(choice.session().id()));
        titled(context, viewer, allPlatforms, true, Optional.empty(), SessionQuery.Order.STARTED)
                .filter(choice -> shown.add(choice.session().id()))
                .limit(TITLED)
                .forEach(choices::add);
        return choices;
    }

    private static Optional<Choice> here(CommandContext context, Viewer viewer) {
        return context.entry()
                .filter(entry -> Applying.over(context).isPresent() || isJustTakenUp(context, entry))
                .flatMap(entry -> context.sessions().find(entry.sessionId()))
                .filter(viewer::maySee)
                .map(session -> new Choice(session, lastSaid(context, session.id()), Place.HERE));
    }

    private static boolean isJustTakenUp(CommandContext context, SessionEntry entry) {
        return context.lanes().history(context.lane(), 1).stream()
                .anyMatch(last -> last.kind() == LaneEvent.Kind.CLEARED
                        && last.reason().equals(RESUMED)
                        && last.at().equals(entry.updatedAt()));
    }

    private static List<Choice> previous(CommandContext context) {
        return context.sessions().ofLane(context.lane(), LOOKED_AT).stream()
                .filter(session -> isOffered(context, context.viewer(), session))
                .filter(session -> context.transcripts().count(session.id()) > 0)
                .limit(PREVIOUS)
                .map(session -> new Choice(session, lastSaid(context, session.id()), Place.BEFORE))
                .toList();
    }

    private static String lastSaid(CommandContext context, SessionId session) {
        return context.transcripts().recentUserMessages(session, 1).stream()
                .findFirst()
                .map(m -> preview(m.message().content().plainText()))
                .orElse("");
    }

    /** Returns what {@code /sessions} lists: at most ten. */
    static List<Choice> toList(
            CommandContext context,
            Viewer viewer,
            boolean allPlatforms,
            boolean titledOnly,
            Optional<String> text,
            SessionQuery.Order order) {
        return titled(context, viewer, allPlatforms, titledOnly, text, order)
                .limit(TITLED)
                .toList();
    }

    private static Stream<Choice> titled(
            CommandContext context,
            Viewer viewer,
            boolean allPlatforms,
            boolean titledOnly,
            Optional<String> text,
            SessionQuery.Order order) {
        Optional<String> source = allPlatforms
                ? Optional.empty()
                : Optional.of(context.source().platform().name());
        SessionQuery query = SessionQuery.usual()
                .sources(source, Set.of(TOOL))
                .shape(true, false)
                .matching(titledOnly, text)
                .ordered(order)
                .seenBy(viewer)
                .window(LOOKED_AT, 0);
        return context.sessions().list(query).stream()
                .filter(listing -> isOffered(context, viewer, listing.session()))
                .map(Choices::choice);
    }

    private static Choice choice(SessionListing listing) {
        return new Choice(listing.session(), preview(listing.preview()), Place.ELSEWHERE);
    }

    /** A session that went on under another id is offered as that one; what tools and delegates did is nobody's conversation. */
    private static boolean isOffered(CommandContext context, Viewer viewer, Session session) {
        return viewer.maySee(session)
                && !isCurrent(context, session.id())
                && !session.endedBy(Ending.COMPRESSION)
                && !session.source().equals(TOOL)
                && session.modelConfig()
                        .filter(c -> c.text().contains(DELEGATE))
                        .isEmpty();
    }

    /** Returns whether this is the session the lane has now. */
    static boolean isCurrent(CommandContext context, SessionId session) {
        return context.entry()
                .map(SessionEntry::sessionId)
                .filter(session::equals)
                .isPresent();
    }

    /** Returns the session that continues another one, if the viewer may see both; absent otherwise (Z12.3). */
    static Optional<Session> tipOf(Session session, Viewer viewer, Lineage.Family family) {
        if (!viewer.maySee(session)) {
            return Optional.empty();
        }
        SessionId tip = Lineage.compressionTip(session.id(), family);
        return tip.equals(session.id())
                ? Optional.of(session)
                : family.find(tip).filter(viewer::maySee);
    }

    /** Returns a session as one line of a list. */
    static String line(CommandContext context, Choice choice) {
        Session session = choice.session();
        StringBuilder line = new StringBuilder(session.title().orElse("(untitled)"));
        if (!choice.preview().isEmpty()) {
            line.append(" – ").append(choice.preview());
        }
        line.append(" (").append(TIME.format(session.startedAt().atZone(context.zone())));
        return line.append(choice.place().words)
                .append(", ")
                .append(session.id())
                .append(')')
                .toString();
    }

    private static String preview(String text) {
        return OneLine.cut(String.join(" ", Blanks.split(text)), PREVIEW);
    }
}
