package dev.parley.adapter.console;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.WebRequest;
import dev.parley.application.spi.WebRole;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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

    String of(WebRequest request, Session session) {
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
                    earlier = place(id, first);
                }
                long last = messages.get(messages.size() - 1).sequence();
                if (gateway.transcripts().around(id, last, 0, 1).size() > 1) {
                    later = place(id, last);
                }
            }
        } catch (StorageUnavailable | StorageCorrupt e) {
            failure = Views.line(String.valueOf(e.getMessage()));
        }
        String title = session.title().filter(text -> !text.isBlank()).orElseGet(id::value);
        return TranscriptRenderer.of()
                .execute(new Pages.Transcript(
                        frames.of(request, Views.line(title), "session:" + id.value()),
                        facts(session),
                        lineage(session),
                        messages.stream().map(this::said).toList(),
                        earlier,
                        later,
                        failure,
                        Operating.done(request),
                        request.caller().role() == WebRole.OPERATOR ? Operating.deeds(session) : List.of(),
                        export.ofSession(request, id)));
    }

    private static String place(SessionId id, long sequence) {
        return Link.to("/session")
                        .with("id", id.value())
                        .with("at", String.valueOf(sequence))
                        .text()
                + "#m-" + sequence;
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
        session.model().ifPresent(model -> facts.add(new Pages.Fact("Model", Views.line(model), "", "when")));
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
                folds);
    }

    private static Pages.Fold called(ToolCall call) {
        return new Pages.Fold("Called " + call.name(), OneLine.cut(call.arguments(), LONGEST_TOOL));
    }
}
