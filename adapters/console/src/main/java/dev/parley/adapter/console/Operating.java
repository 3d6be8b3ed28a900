package dev.parley.adapter.console;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.GatewayOperations;
import dev.parley.application.port.GatewayOperations.Edited;
import dev.parley.application.port.HeldElsewhere;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.WebResponse;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an operator does to a session, a waiting message, a delivery, or all new turns: a page says what will happen and how it is taken
 * back, a form does it where things still stand as they did on that page. All of it is told to the audit.
 *
 * @param gateway the gateway
 * @param frames makes what pages have around them
 * @param check begins a check of the storage
 */
record Operating(GatewayInspection gateway, Frames frames, Runnable check) {
    static final String RESUME = "/lane/resume";
    static final String DROP = "/lane/drop";
    static final String TRY = "/delivery/try";
    static final String GIVE_UP = "/delivery/give-up";
    static final String TITLE = "/session/title";
    static final String END = "/session/end";
    static final String REOPEN = "/session/reopen";
    static final String DELETE = "/session/delete";
    static final String HOLD = "/gateway/hold";
    static final String RELEASE = "/gateway/release";
    static final String CHECK = "/storage/check";

    private static final Map<String, String> LABELS = Map.ofEntries(
            Map.entry(RESUME, "Go back to a session"),
            Map.entry(DROP, "Drop the message"),
            Map.entry(TRY, "Try now"),
            Map.entry(GIVE_UP, "Give up"),
            Map.entry(TITLE, "Change the title"),
            Map.entry(END, "End the session"),
            Map.entry(REOPEN, "Reopen the session"),
            Map.entry(DELETE, "Delete the session"),
            Map.entry(HOLD, "Hold new turns"),
            Map.entry(RELEASE, "Release new turns"),
            Map.entry(CHECK, "Check the storage"));

    private static final String NO_WAY_BACK = "This cannot be taken back";
    private static final int TEXT = 300;

    /** Returns whether a place is that of something that can be done. */
    static boolean asks(String place) {
        return LABELS.containsKey(place);
    }

    /** Returns what a place does, as buttons say it. */
    static String label(String place) {
        return Optional.ofNullable(LABELS.get(place)).orElse(place);
    }

    /** Returns what a page says that shows what was done; empty where nothing was. */
    static String done(PageRequest request) {
        return request.parameter("done")
                .map(what -> asks(what) ? label(what) : Acts.label(what))
                .map(label -> label + ": done.")
                .orElse("");
    }

    /** Returns a button for something that can be done to the named things. */
    static Pages.Deed deed(String place, Link to) {
        return Pages.Deed.now(label(place), to.text());
    }

    // ------------------------------------------------------------------ asking

    /**
     * What a page asks.
     *
     * @param question what is asked
     * @param happens what will happen
     * @param back how it is taken back
     * @param carried what it is about, and how that stands
     * @param typed what has to be filled in
     * @param away where those go who do not want it
     */
    private record Asked(
            String question,
            String happens,
            String back,
            List<Pages.Carried> carried,
            List<Pages.Typed> typed,
            String away) {}

    /** Returns the page that asks. */
    String ask(String place, PageRequest request) {
        Asked asked = asked(place, request);
        return ConfirmRenderer.of()
                .execute(new Pages.Confirm(
                        frames.of(request, label(place), ""),
                        asked.question(),
                        asked.happens(),
                        asked.back(),
                        Link.ROOT + place,
                        asked.carried(),
                        asked.typed(),
                        asked.away()));
    }

    private Asked asked(String place, PageRequest request) {
        return switch (place) {
            case RESUME -> resume(lane(request.parameter("key")), session(request.parameter("id")));
            case DROP -> drop(key(request.parameter("key")), needed(request.parameter("id")));
            case TRY, GIVE_UP -> delivery(place, needed(request.parameter("id")));
            case HOLD ->
                new Asked(
                        "Hold new turns back?",
                        "Running turns end, new ones wait until they are released, also over a restart. Messages are taken"
                                + " meanwhile, and their writers are told that they wait.",
                        "Release new turns to take this back.",
                        List.of(),
                        List.of(),
                        Link.ROOT + "/");
            case RELEASE ->
                new Asked(
                        "Release new turns?",
                        "What waits begins, "
                                + Words.count(gateway.queue().admitted().size(), "message") + " now.",
                        "Hold new turns back to take this back; what has begun goes on.",
                        List.of(),
                        List.of(),
                        Link.ROOT + "/");
            case CHECK ->
                new Asked(
                        "Check everything that is stored?",
                        "All of it is read, in steps between which turns go on. It may take minutes, and nothing is changed.",
                        "There is nothing to be taken back.",
                        List.of(),
                        List.of(),
                        Link.ROOT + "/storage");
            default -> edit(place, session(request.parameter("id")));
        };
    }

    private Asked resume(Lane lane, Session session) {
        String current = lane.entry().sessionId().value();
        return new Asked(
                "Go back to " + named(session) + "?",
                "The next message of " + lane.key().value() + " goes on with the session "
                        + session.id().value() + ", which has "
                        + Words.count(gateway.transcripts().count(session.id()), "message") + ". The session " + current
                        + " stays readable. Nobody in the chat is told.",
                "Go back to the session " + current + " in the same way.",
                List.of(
                        new Pages.Carried("key", lane.key().value()),
                        new Pages.Carried("id", session.id().value()),
                        new Pages.Carried("epoch", String.valueOf(lane.epoch()))),
                List.of(),
                Link.lane(lane.key().value()));
    }

    private Asked drop(SessionKey key, String id) {
        Inbound message = gateway.queue().admitted(key).stream()
                .filter(each -> each.id().value().equals(id))
                .findFirst()
                .orElseThrow(() -> new InvalidRequest("This message does not wait any more."));
        return new Asked(
                "Drop this message?",
                quoted(message.text()) + " No turn answers it, and nobody in the chat is told.",
                NO_WAY_BACK + "; its writer may send it again.",
                List.of(new Pages.Carried("key", key.value()), new Pages.Carried("id", id)),
                List.of(),
                Link.lane(key.value()));
    }

    private Asked delivery(String place, String id) {
        Outgoing message = gateway.queue().undelivered().stream()
                .filter(each -> each.id().value().equals(id))
                .findFirst()
                .orElseThrow(() -> new InvalidRequest("This message does not wait to be delivered any more."));
        String to = message.platform().name() + " " + message.chatId();
        boolean tries = place.equals(TRY);
        return new Asked(
                tries ? "Try to deliver to " + to + " now?" : "Give up this message to " + to + "?",
                quoted(message.text())
                        + (tries
                                ? " What the chat is to get before it goes first, and a pause that the platform asked for is kept to."
                                : " It is never sent and counts as expired. It stays readable in its conversation."),
                tries ? NO_WAY_BACK + " once it is delivered." : NO_WAY_BACK + ".",
                List.of(new Pages.Carried("id", id)),
                List.of(),
                Link.to("/deliveries").text());
    }

    private Asked edit(String place, Session session) {
        String title = session.title().orElse("");
        List<Pages.Carried> carried =
                List.of(new Pages.Carried("id", session.id().value()), new Pages.Carried("seen", mark(session)));
        String away = Link.session(session.id().value());
        String messages = Words.count(session.messageCount(), "message");
        return switch (place) {
            case TITLE ->
                new Asked(
                        "Which title shall " + named(session) + " have?",
                        "Lists show the title, and /resume takes it. An empty one removes it.",
                        title.isEmpty()
                                ? "Remove the title to take this back."
                                : "Change it to " + OneLine.quoted(title) + " to take this back.",
                        carried,
                        List.of(new Pages.Typed("title", "Title", title)),
                        away);
            case END ->
                new Asked(
                        "End " + named(session) + "?",
                        "It counts as over, and Delete old sessions may delete it one day. Its " + messages
                                + " stay readable. A session that a lane is in stays as it is.",
                        "Reopen the session to take this back.",
                        carried,
                        List.of(new Pages.Typed("reason", "Why", "operator")),
                        away);
            case REOPEN ->
                new Asked(
                        "Reopen " + named(session) + "?",
                        "It counts as live again, and Delete old sessions leaves it alone.",
                        "End the session to take this back; when and why it had ended is forgotten.",
                        carried,
                        List.of(),
                        away);
            default ->
                new Asked(
                        "Delete " + named(session) + "?",
                        "Its " + messages + " are deleted. A session that a lane is in is not deleted.",
                        NO_WAY_BACK + ". Save the session first, on its page.",
                        carried,
                        List.of(),
                        away);
        };
    }

    private static String quoted(String text) {
        return "It says: “" + OneLine.of(text, TEXT) + "”";
    }

    private static String named(Session session) {
        return "the session "
                + session.title()
                        .filter(text -> !text.isBlank())
                        .map(OneLine::quoted)
                        .orElseGet(session.id()::value);
    }

    /** Returns how a session stands, so that nobody acts on what they have not seen. */
    private static String mark(Session session) {
        return session.messageCount() + "-"
                + Integer.toHexString(List.of(session.title(), session.ending()).hashCode());
    }

    // ------------------------------------------------------------------ doing

    /**
     * What came of it.
     *
     * @param why why nothing was done; empty where it was
     * @param place the page that shows it
     */
    private record Done(String why, Link place) {}

    /** Does what a form asks for. */
    WebResponse act(String place, PageRequest request) {
        String target = request.field("id").or(() -> request.field("key")).orElse("");
        String outcome = "failed";
        Done done;
        try {
            done = done(place, request);
            outcome = done.why().isEmpty() ? "done" : "nothing";
        } catch (StorageUnavailable e) {
            outcome = "unavailable";
            throw e;
        } catch (HeldElsewhere e) {
            outcome = "held elsewhere";
            throw e;
        } finally {
            Audit.tell(gateway, request, place.substring(1).replace('/', ' '), target, outcome);
        }
        if (done.why().isEmpty()) {
            return WebResponse.see(done.place().with("done", place).text());
        }
        return WebResponse.text(
                409,
                "text/html; charset=utf-8",
                NoticeRenderer.of()
                        .execute(new Pages.Notice(
                                frames.of(request, "Nothing was done", ""),
                                done.why(),
                                done.place().text(),
                                "Look again")));
    }

    private Done done(String place, PageRequest request) {
        GatewayOperations operations = gateway.operations()
                .orElseThrow(() -> new InvalidRequest("This gateway can only be looked at here; nothing was done."));
        return switch (place) {
            case RESUME -> {
                SessionKey key = key(request.field("key"));
                boolean did = operations.resume(
                        key, SessionId.of(needed(request.field("id"))), epoch(request.field("epoch")));
                yield new Done(
                        did
                                ? ""
                                : "The lane has moved since you looked at it, a turn runs, or another lane is in that session.",
                        Link.to("/lane").with("key", key.value()));
            }
            case DROP -> {
                SessionKey key = key(request.field("key"));
                boolean did = operations.drop(key, new InboundId(needed(request.field("id"))));
                yield new Done(
                        did ? "" : "This message does not wait any more.",
                        Link.to("/lane").with("key", key.value()));
            }
            case TRY ->
                new Done(
                        operations.tryNow(new OutgoingId(needed(request.field("id"))))
                                ? ""
                                : "This message does not wait to be delivered here any more.",
                        Link.to("/deliveries"));
            case GIVE_UP ->
                new Done(
                        operations.giveUp(new OutgoingId(needed(request.field("id"))))
                                ? ""
                                : "This message does not wait to be delivered here any more, or is being sent at this moment.",
                        Link.to("/deliveries"));
            case HOLD -> new Done(operations.hold(true) ? "" : "New turns are not held back.", Link.to("/"));
            case RELEASE ->
                new Done(
                        operations.hold(false)
                                ? "Somebody holds the turns of this node back in the storage, too: parley nodes release ends that."
                                : "",
                        Link.to("/"));
            case CHECK -> {
                check.run();
                yield new Done("", Link.to("/storage"));
            }
            default -> edited(place, request, operations);
        };
    }

    private Done edited(String place, PageRequest request, GatewayOperations operations) {
        SessionId id = SessionId.of(needed(request.field("id")));
        Link page = Link.to("/session").with("id", id.value());
        Optional<Session> session = gateway.sessions().find(id);
        if (session.isPresent() && !request.field("seen").orElse("").equals(mark(session.get()))) {
            return new Done("The session has changed since you looked at it, so nothing was done.", page);
        }
        Edited edited = switch (place) {
            case TITLE -> operations.title(id, request.field("title").orElse(""));
            case END -> operations.end(id, request.field("reason").orElse(""));
            case REOPEN -> operations.reopen(id);
            default -> operations.delete(id);
        };
        boolean deleted = place.equals(DELETE) && edited instanceof Edited.Done;
        return new Done(why(edited), deleted ? Link.to("/sessions") : page);
    }

    private static String why(Edited edited) {
        if (edited instanceof Edited.InUse used) {
            return used.lane()
                    .map(lane -> "The lane " + lane.value() + " is in this session; begin that lane anew first.")
                    .orElse("A lane is in this session; begin that lane anew first.");
        }
        if (edited instanceof Edited.TitleTaken taken) {
            return "The title " + OneLine.quoted(taken.title()) + " is in use by "
                    + taken.holder().map(id -> "the session " + id.value()).orElse("another session")
                    + "; choose another one.";
        }
        if (edited instanceof Edited.NoTitles none) {
            return "The store " + none.location() + " keeps no titles.";
        }
        if (edited instanceof Edited.Invalid invalid) {
            return "That cannot be done: " + invalid.why();
        }
        return edited instanceof Edited.Missing ? "There is no such session any more." : "";
    }

    // ------------------------------------------------------------------ what is named

    /** Returns what can be done to a session, as buttons. */
    static List<Pages.Deed> deeds(Session session) {
        String id = session.id().value();
        List<Pages.Deed> deeds = new ArrayList<>();
        deeds.add(deed(TITLE, Link.to(TITLE).with("id", id)));
        String place = session.ending().isPresent() ? REOPEN : END;
        deeds.add(deed(place, Link.to(place).with("id", id)));
        deeds.add(deed(DELETE, Link.to(DELETE).with("id", id)));
        return deeds;
    }

    private Lane lane(Optional<String> text) {
        return gateway.laneReads()
                .find(key(text))
                .orElseThrow(() -> new InvalidRequest("There is no lane with this key any more."));
    }

    private Session session(Optional<String> text) {
        return gateway.sessions()
                .find(SessionId.of(needed(text)))
                .orElseThrow(() -> new InvalidRequest("There is no such session any more."));
    }

    private static SessionKey key(Optional<String> text) {
        return SessionKey.of(text.orElseThrow(() -> new InvalidRequest("Which lane? Its key is missing.")));
    }

    private static String needed(Optional<String> text) {
        return text.orElseThrow(() -> new InvalidRequest("Which one? Its id is missing."));
    }

    private static long epoch(Optional<String> text) {
        return text.filter(each -> each.matches("[0-9]{1,18}"))
                .map(Long::parseLong)
                .orElseThrow(() -> new InvalidRequest(
                        "The form does not say which state of the lane it means; look at the lane again."));
    }
}
