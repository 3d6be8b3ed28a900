package dev.parley.adapter.console;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Page;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.TurnQuery;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A conversation, a window of it at a time: its end, or what is around a message. Texts are shown as texts.
 *
 * @param gateway the gateway
 * @param frames makes what pages have around them
 * @param times the zone and the time
 * @param export says what may be saved
 */
record TranscriptView(GatewayInspection gateway, Frames frames, Times times, Export export) {
    private static final int WINDOW = 100;
    private static final int LONGEST = 8_000;
    private static final int LONGEST_TOOL = 2_000;

    private static final String RAW = "raw";
    private static final String TURNS = "turns";

    /** Returns the page: the messages, the turns they belong to, or the messages as they are exported. */
    String of(PageRequest request, Session session) {
        String view = request.text("view");
        return view.equals(TURNS) ? turns(request, session) : messages(request, session, view.equals(RAW));
    }

    private String messages(PageRequest request, Session session, boolean raw) {
        SessionId id = session.id();
        Optional<Long> at = request.parameter("at")
                .filter(text -> text.matches("[0-9]{1,18}"))
                .map(Long::valueOf);
        List<StoredMessage> messages = List.of();
        String failure = "";
        String earlier = "";
        String later = "";
        try {
            messages = at.map(sequence -> gateway.transcripts().around(id, sequence, WINDOW, WINDOW))
                    .filter(found -> !found.isEmpty())
                    .orElseGet(() -> gateway.transcripts().tail(id, 2 * WINDOW));
            if (!messages.isEmpty()) {
                long first = messages.get(0).sequence();
                if (gateway.transcripts().around(id, first, 1, 0).size() > 1) {
                    earlier = place(id, first, raw);
                }
                long last = messages.get(messages.size() - 1).sequence();
                if (gateway.transcripts().around(id, last, 0, 1).size() > 1) {
                    later = place(id, last, raw);
                }
            }
        } catch (StorageUnavailable | StorageCorrupt e) {
            failure = Words.line(String.valueOf(e.getMessage()));
        }
        return TranscriptRenderer.of()
                .execute(new Pages.Transcript(
                        frames.of(request, title(session), "session:" + id.value()),
                        facts(session),
                        lineage(session),
                        views(request, id),
                        List.of(),
                        messages.stream()
                                .map(message -> raw ? coded(message) : said(message))
                                .toList(),
                        earlier,
                        later,
                        failure,
                        Operating.done(request),
                        request.operates() ? Operating.deeds(session) : List.of(),
                        export.ofSession(request, session)));
    }

    private static String place(SessionId id, long sequence, boolean raw) {
        return Link.to("/session")
                        .with("id", id.value())
                        .with("view", raw ? RAW : "")
                        .with("at", String.valueOf(sequence))
                        .text()
                + "#m-" + sequence;
    }

    /** Returns what people call the session: its title, or the chat it belongs to. */
    private static String title(Session session) {
        return Words.line(session.title()
                .filter(text -> !text.isBlank())
                .or(() -> session.peer().map(peer -> "Session of " + LaneList.name(peer.key())))
                .orElseGet(session.id()::value));
    }

    private List<Pages.Choice> views(PageRequest request, SessionId id) {
        List<Pages.Choice> views = new ArrayList<>();
        String chosen = request.text("view");
        views.add(new Pages.Choice(
                "messages", Link.session(id.value()), !List.of(TURNS, RAW).contains(chosen)));
        views.add(view(TURNS, id, chosen));
        if (gateway.exports().isPresent()) {
            views.add(view(RAW, id, chosen));
        }
        return views;
    }

    private static Pages.Choice view(String name, SessionId id, String chosen) {
        return new Pages.Choice(
                name,
                Link.to("/session").with("id", id.value()).with("view", name).text(),
                name.equals(chosen));
    }

    /** The turns of the session with what was asked of each. */
    private String turns(PageRequest request, Session session) {
        SessionId id = session.id();
        Table table = Reads.guarded("Turns", () -> {
            TurnQuery query = TurnQuery.first(WINDOW)
                    .in(id)
                    .after(request.parameter("after").map(Cursor::parse));
            Page<Turn> page = gateway.queue().turns(query);
            return Table.of(
                            "Turns",
                            List.of("Began", "Asked", "State", "Why", "Took", "Model", "Tokens", "Tools", "Cost"),
                            page.rows().stream().map(this::turn).toList(),
                            "No turn of this session is recorded.")
                    .goingOn(page, Link.to("/session").with("id", id.value()).with("view", TURNS));
        });
        return TranscriptRenderer.of()
                .execute(new Pages.Transcript(
                        frames.of(request, title(session), "session:" + id.value()),
                        facts(session),
                        lineage(session),
                        views(request, id),
                        List.of(table),
                        List.of(),
                        "",
                        "",
                        "",
                        Operating.done(request),
                        request.operates() ? Operating.deeds(session) : List.of(),
                        export.ofSession(request, session)));
    }

    private Row turn(Turn turn) {
        String asked = turn.inputs().stream()
                .flatMap(input -> gateway.queue().inbound(input).stream())
                .map(Inbound::text)
                .collect(Collectors.joining(" / "));
        return Row.of(
                "turn-" + turn.id().value(),
                times.cell("Began", turn.startedAt()),
                Cell.text("Asked", Words.line(asked)),
                Turns.state(turn),
                Cell.text("Why", Turns.why(turn)),
                Cell.text("Took", turn.took().map(Times::span).orElse("")),
                Cell.text("Model", Words.line(turn.usage().model().orElse(""))),
                Cell.number("Tokens", turn.usage().tokens().total()),
                Cell.number("Tools", turn.usage().toolCalls()),
                Cell.text("Cost", Words.dollars(turn.usage().costUsd().orElse(0.0)))
                        .in("num"));
    }

    /** A message as it is exported. */
    private Pages.Said coded(StoredMessage stored) {
        Message message = stored.message();
        return new Pages.Said(
                "m-" + stored.sequence(),
                message.role().name(),
                times.ago(message.at()),
                times.exact(message.at()),
                "",
                stored.state().name().toLowerCase(Locale.ROOT),
                "",
                List.of(),
                OneLine.cut(
                        gateway.exports()
                                .map(exports -> exports.message(stored))
                                .orElse(""),
                        LONGEST));
    }

    private List<Pages.Fact> facts(Session session) {
        List<Pages.Fact> facts = new ArrayList<>();
        facts.add(new Pages.Fact("Session", session.id().value(), "", "long"));
        session.peer()
                .ifPresent(peer -> facts.add(new Pages.Fact(
                        "Lane", peer.key().value(), Link.lane(peer.key().value()), "long")));
        facts.add(new Pages.Fact("Began", times.exact(session.startedAt()), "", "long"));
        session.ending()
                .ifPresent(end -> facts.add(new Pages.Fact(
                        "Ended",
                        times.exact(end.at())
                                + end.reason()
                                        .map(reason -> ", " + reason.replace('_', ' '))
                                        .orElse(""),
                        "",
                        "long")));
        facts.add(Pages.Fact.of("Messages", Words.number(session.messageCount())));
        facts.add(Pages.Fact.of("Tokens", Words.number(session.tokens().total())));
        session.model().ifPresent(model -> facts.add(new Pages.Fact("Model", Words.line(model), "", "when")));
        session.billing()
                .estimatedCostUsd()
                .filter(usd -> usd > 0)
                .ifPresent(usd -> facts.add(Pages.Fact.of("Cost", Words.dollars(usd))));
        return facts;
    }

    /** The session it comes from and those that come from it. */
    private List<Pages.Choice> lineage(Session session) {
        List<Pages.Choice> lineage = new ArrayList<>();
        try {
            session.parent()
                    .ifPresent(parent -> lineage.add(
                            new Pages.Choice("comes from " + parent.value(), Link.session(parent.value()), false)));
            gateway.sessions().childrenOf(session.id()).stream()
                    .limit(WINDOW)
                    .forEach(child -> lineage.add(new Pages.Choice(
                            (session.endedBy("compression") ? "goes on as " : "led to ")
                                    + child.id().value(),
                            Link.session(child.id().value()),
                            false)));
        } catch (StorageUnavailable | StorageCorrupt e) {
            return List.of();
        }
        return lineage;
    }

    private Pages.Said said(StoredMessage stored) {
        Message message = stored.message();
        List<Pages.Fold> folds = new ArrayList<>();
        message.reasoning()
                .text()
                .or(() -> message.reasoning().content())
                .ifPresent(text -> folds.add(new Pages.Fold("Reasoning", OneLine.cut(text, LONGEST_TOOL))));
        message.toolCalls().ifPresent(calls -> calls.calls().forEach(call -> folds.add(called(call))));
        String text = message.content().plainText();
        boolean tool = message.role().name().equals("tool");
        if (tool && !text.isEmpty()) {
            folds.add(new Pages.Fold(
                    "Answer of " + message.toolName().orElse("a tool"), OneLine.cut(text, LONGEST_TOOL)));
        }
        boolean summary = message.kind() == Message.Kind.SUMMARY;
        return new Pages.Said(
                "m-" + stored.sequence(),
                summary ? "summary" : message.role().name(),
                times.ago(message.at()),
                times.exact(message.at()),
                tool ? "" : OneLine.cut(text, LONGEST),
                stored.state().name().toLowerCase(Locale.ROOT),
                summary ? "stands for everything before it" : "",
                folds,
                "");
    }

    private static Pages.Fold called(ToolCall call) {
        return new Pages.Fold("Called " + call.name(), OneLine.cut(call.arguments(), LONGEST_TOOL));
    }
}
