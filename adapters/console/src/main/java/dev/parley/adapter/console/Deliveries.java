package dev.parley.adapter.console;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.OutgoingQuery;
import dev.parley.application.port.Page;
import dev.parley.domain.turn.Outgoing;
import java.util.List;
import java.util.Set;

/**
 * Lists messages to chats, and what became of them.
 *
 * @param gateway the gateway
 * @param frames makes what pages have around them
 */
record Deliveries(GatewayInspection gateway, Frames frames) {
    private static final int PAGE = 50;

    String page(PageRequest request) {
        Times times = request.times();
        String chosen = request.parameter("state").orElse("open");
        Set<Outgoing.State> states = switch (chosen) {
            case "expired" -> Set.of(Outgoing.State.EXPIRED);
            case "delivered" -> Set.of(Outgoing.State.DELIVERED);
            case "all" -> Set.of();
            default -> Set.of(Outgoing.State.PENDING, Outgoing.State.ATTEMPTED);
        };
        List<Pages.Choice> choices = List.of("open", "expired", "delivered", "all").stream()
                .map(word -> new Pages.Choice(
                        word, Link.to("/deliveries").with("state", word).text(), word.equals(chosen)))
                .toList();
        Table table = Reads.guarded("Messages to chats", () -> {
            OutgoingQuery query = OutgoingQuery.first(PAGE)
                    .states(states)
                    .after(request.parameter("after").map(Cursor::parse));
            return table(
                    "Messages to chats",
                    query,
                    times,
                    request.operates(),
                    Link.to("/deliveries").with("state", chosen));
        });
        return Sheet.of(frames.of(request, "Deliveries", "delivery"))
                .intro((Operating.done(request)
                                + " Messages to chats, latest first. What is open is tried again by itself.")
                        .strip())
                .choices(choices)
                .tables(List.of(table))
                .html();
    }

    /** Lists messages to chats; {@code here} is the address of the list, without a place in it. */
    Table table(String caption, OutgoingQuery query, Times times, boolean operates, Link here) {
        Page<Outgoing> page = gateway.queue().outgoing(query);
        boolean open = operates && page.rows().stream().anyMatch(Deliveries::isOpen);
        List<Row> rows = page.rows().stream()
                .map(message -> Row.of(
                        "out-" + message.id().value(),
                        times.cell("Stored", message.createdAt()),
                        Cell.text("To", Words.line(message.platform().name() + " " + message.chatId()))
                                .to(message.lane()
                                        .map(key -> Link.lane(key.value()))
                                        .orElse("")),
                        Cell.text("State", message.state().text())
                                .in(
                                        switch (message.state()) {
                                            case PENDING, ATTEMPTED -> "warn";
                                            case DELIVERED -> "ok";
                                            case EXPIRED -> "bad";
                                        }),
                        Cell.number("Attempts", message.attempts()),
                        Cell.text(
                                "Last failure",
                                Words.line(message.delivery().failure().orElse(""))),
                        Cell.text("Text", Words.line(message.text())),
                        toDo("Try", "try now", Operating.TRY, message),
                        toDo("Give up", "give up", Operating.GIVE_UP, message)))
                .map(row -> open ? row : new Row(row.id(), row.cells().subList(0, row.width() - 2), List.of()))
                .toList();
        return Table.of(
                        caption,
                        open
                                ? List.of("Stored", "To", "State", "Attempts", "Last failure", "Text", "Try", "Give up")
                                : List.of("Stored", "To", "State", "Attempts", "Last failure", "Text"),
                        rows,
                        "There is none.")
                .goingOn(page, here);
    }

    private static boolean isOpen(Outgoing message) {
        return message.state() == Outgoing.State.PENDING || message.state() == Outgoing.State.ATTEMPTED;
    }

    private static Cell toDo(String head, String text, String place, Outgoing message) {
        return isOpen(message)
                ? Cell.text(head, text)
                        .to(Link.to(place).with("id", message.id().value()).text())
                : Cell.text(head, "");
    }
}
