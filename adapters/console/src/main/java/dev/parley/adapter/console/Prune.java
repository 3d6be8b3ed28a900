package dev.parley.adapter.console;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.GatewayInspection.Pruned;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.WebResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Deletes ended sessions of long ago: a page counts them, and they are deleted where an operator types that number and there are still
 * as many. It cannot be taken back, and the page says so. All of it is told to the audit.
 *
 * @param gateway the gateway
 * @param clock says what is long ago
 * @param frames makes what pages have around them
 */
record Prune(GatewayInspection gateway, InstantSource clock, Frames frames) {
    static final String PLACE = "/sessions/prune";
    private static final String TITLE = "Delete old sessions";
    private static final List<String> AGES = List.of("7", "30", "90", "365");

    /** Returns the page that counts and asks. */
    String ask(PageRequest request) {
        String days = request.parameter("days").filter(AGES::contains).orElse("90");
        Instant before = clock.instant().minus(Duration.ofDays(Long.parseLong(days)));
        long count = gateway.sessions().endedBefore(before, Optional.empty()).size();
        String age = days + " days";
        return CountedRenderer.of()
                .execute(new Pages.Counted(
                        frames.of(request, TITLE, ""),
                        AGES.stream()
                                .map(each -> new Pages.Choice(
                                        "older than " + each + " days",
                                        Link.to(PLACE).with("days", each).text(),
                                        each.equals(days)))
                                .toList(),
                        count == 0
                                ? "No ended session was begun more than " + age + " ago."
                                : "Delete " + Words.count(count, "ended session") + " begun more than " + age + " ago?",
                        count == 0
                                ? "There is nothing to delete."
                                : "Their messages are deleted with them and are no longer found by search. What they used stays in"
                                        + " the sums. A session that a lane is in stays. This cannot be taken back:"
                                        + " parley sessions export writes all sessions to a file beforehand.",
                        count == 0 ? "" : Words.number(count),
                        Link.ROOT + PLACE,
                        String.valueOf(before.toEpochMilli()),
                        Link.to("/sessions").text()));
    }

    /** Deletes the sessions where they are as many as was typed. */
    WebResponse act(PageRequest request) {
        long typed = number(request.field("counted").orElse("").replace(",", ""), "The number cannot be read.");
        Instant before = Instant.ofEpochMilli(
                number(request.field("before").orElse(""), "The form does not say which sessions it means."));
        if (before.isAfter(clock.instant().minus(Duration.ofDays(1)))) {
            throw new InvalidRequest("Sessions of the last day are not deleted here.");
        }
        String outcome = "failed";
        try {
            Pruned pruned = gateway.prune(before, typed);
            outcome = pruned.deleted() + " deleted";
            return said(request, pruned, typed);
        } catch (StorageUnavailable e) {
            outcome = "unavailable";
            throw e;
        } finally {
            Audit.tell(gateway, request, "prune", "sessions begun before " + before, outcome);
        }
    }

    private WebResponse said(PageRequest request, Pruned pruned, long typed) {
        boolean as = pruned.found() == typed;
        String text = as
                ? Words.count(pruned.deleted(), "session") + " deleted."
                        + (pruned.deleted() < pruned.found() ? " The others are sessions that a lane is in." : "")
                : "Nothing was deleted: you typed " + Words.number(typed) + ", and there "
                        + (pruned.found() == 1 ? "is 1" : "are " + Words.number(pruned.found())) + ".";
        return WebResponse.text(
                as ? 200 : 409,
                "text/html; charset=utf-8",
                NoticeRenderer.of()
                        .execute(new Pages.Notice(
                                frames.of(request, TITLE, ""),
                                text,
                                Link.to(as ? "/sessions" : PLACE).text(),
                                as ? "Look at the sessions" : "Count again")));
    }

    private static long number(String text, String otherwise) {
        if (!text.matches("[0-9]{1,15}")) {
            throw new InvalidRequest(otherwise + " Nothing was deleted.");
        }
        return Long.parseLong(text);
    }
}
