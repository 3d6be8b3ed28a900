package dev.parley.adapter.console;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Page;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.WebPieces;
import dev.parley.application.spi.WebResponse;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.usage.TokenUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Files that a browser saves: a conversation, the list of sessions, a lane as a scenario. What people wrote is in them, so they are the
 * operator's, asked for by a page of ours only, and each is told to the audit before its first byte. Long ones are made piece by piece.
 */
final class Export {
    static final String SESSIONS = "/sessions.csv";
    static final String TRANSCRIPT = "/session.md";
    static final String TRANSCRIPT_JSON = "/session.jsonl";
    static final String SCENARIO = "/lane.jsonl";

    /** The part of a lane's page that says what a scenario of it cannot hold. */
    static final String LIMITS = "left-out";

    private static final String LEFT_OUT = "What a scenario of this lane cannot hold";
    private static final String CSV = "text/csv; charset=utf-8";
    private static final String MARKDOWN = "text/markdown; charset=utf-8";
    private static final String JSON_LINES = "application/x-ndjson; charset=utf-8";
    private static final int ROWS = 200;

    private final GatewayInspection gateway;

    /** A scenario is made of all that is recorded, so one is made at a time. */
    private final Semaphore scenarios = new Semaphore(1);

    Export(GatewayInspection gateway) {
        this.gateway = gateway;
    }

    /** Returns what of a lane may be saved by somebody. */
    Pages.Saves ofLane(PageRequest request, SessionKey key) {
        if (gateway.exports().isEmpty()) {
            return Pages.Saves.NOTHING;
        }
        return saves(
                request,
                List.of(
                        save("a scenario", Link.to(SCENARIO).with("key", key.value())),
                        save(
                                "a scenario with its texts",
                                Link.to(SCENARIO).with("key", key.value()).with("texts", "1"))),
                limits(key));
    }

    /** Returns what of a session may be saved by somebody. */
    Pages.Saves ofSession(PageRequest request, Session session) {
        SessionId id = session.id();
        List<Pages.Choice> saves = new ArrayList<>();
        saves.add(save("Markdown", Link.to(TRANSCRIPT).with("id", id.value())));
        if (gateway.exports().isPresent()) {
            saves.add(save("JSON", Link.to(TRANSCRIPT_JSON).with("id", id.value())));
            session.peer()
                    .ifPresent(peer -> saves.add(save(
                            "a scenario of its lane",
                            Link.to(SCENARIO).with("key", peer.key().value()))));
        }
        Optional<SessionKey> lane = session.peer()
                .map(SessionPeer::key)
                .filter(key -> gateway.exports().isPresent());
        return saves(request, saves, lane.map(Export::limits).orElse(""));
    }

    /** Returns what of a list of sessions may be saved by somebody; {@code filters} are those of the list. */
    Pages.Saves ofSessions(PageRequest request, Map<String, String> filters) {
        Link link = Link.to(SESSIONS);
        filters.forEach(link::with);
        return saves(request, List.of(save("CSV", link)), "");
    }

    private static Pages.Choice save(String label, Link link) {
        return new Pages.Choice(label, link.text(), false);
    }

    private static Pages.Saves saves(PageRequest request, List<Pages.Choice> files, String limits) {
        return request.operates() ? new Pages.Saves(files, limits) : Pages.Saves.NOTHING;
    }

    private static String limits(SessionKey key) {
        return Link.to("/lane").with("key", key.value()).with("of", LIMITS).text();
    }

    /** Returns what of a lane's past a scenario of it cannot hold; making one takes its time, so nobody gets it who did not ask. */
    Table leftOut(SessionKey key) {
        if (!scenarios.tryAcquire()) {
            return Table.unavailable(LEFT_OUT, "A scenario is being made just now; try again in a moment.");
        }
        try {
            return Reads.guarded(LEFT_OUT, () -> {
                List<String> sentences = exports().scenario(gateway, key, false, line -> {});
                List<Row> rows = new ArrayList<>();
                for (String sentence : sentences) {
                    rows.add(Row.of("left-out-" + rows.size(), Cell.text("What", Words.line(sentence))));
                }
                return Table.of(
                        LEFT_OUT,
                        List.of("What"),
                        rows,
                        "Nothing was found that had a part in what was decided and is not in a scenario.");
            });
        } finally {
            scenarios.release();
        }
    }

    /** Answers with a file. */
    WebResponse answer(String place, PageRequest request) {
        if (!isOfAPageOfOurs(request)) {
            return WebResponse.text(
                    403, "text/plain; charset=utf-8", "Files are saved from a page of this console; open it first.");
        }
        return switch (place) {
            case SESSIONS -> sessions(request);
            case TRANSCRIPT -> transcript(request);
            case TRANSCRIPT_JSON -> transcriptJson(request);
            default -> scenario(request);
        };
    }

    /** A page of another origin, such as one at a neighbour port, cannot read the file; it shall not have it saved either. */
    private static boolean isOfAPageOfOurs(PageRequest request) {
        return request.header("sec-fetch-site")
                .filter(site -> !site.equals("same-origin") && !site.equals("none"))
                .isEmpty();
    }

    // ------------------------------------------------------------------ sessions

    private WebResponse sessions(PageRequest request) {
        SessionQuery query = SessionList.query(request).window(ROWS, 0);
        return told(request, "export sessions", request.parameter("q").orElse(""), () -> {
            Page<SessionListing> first = gateway.sessions().page(query, Optional.empty());
            return pieces(CSV, "sessions.csv", new Rows(query, first));
        });
    }

    /** The rows of the list, a page of it at a time. */
    private final class Rows implements WebPieces {
        private final SessionQuery query;
        private Csv csv = Csv.of(
                "session",
                "title",
                "source",
                "lane",
                "model",
                "messages",
                "tool_calls",
                "input_tokens",
                "output_tokens",
                "cache_read_tokens",
                "cache_write_tokens",
                "reasoning_tokens",
                "cost_usd",
                "parent",
                "started_at",
                "last_active",
                "ended_at",
                "end_reason");
        private Optional<Page<SessionListing>> page;

        Rows(SessionQuery query, Page<SessionListing> first) {
            this.query = query;
            this.page = Optional.of(first);
        }

        @Override
        public Optional<String> next() {
            if (page.isEmpty()) {
                return Optional.empty();
            }
            page.get().rows().forEach(this::row);
            Optional<Cursor> after = page.get().next();
            String piece = csv.text();
            csv = Csv.rows();
            page = after.map(place -> gateway.sessions().page(query, Optional.of(place)));
            return Optional.of(piece);
        }

        private void row(SessionListing listing) {
            Session session = listing.session();
            TokenUsage tokens = session.tokens();
            csv.row(
                    session.id().value(),
                    session.title().orElse(""),
                    session.source(),
                    session.peer().map(SessionPeer::key).map(SessionKey::value).orElse(""),
                    session.model().orElse(""),
                    session.messageCount(),
                    session.toolCallCount(),
                    tokens.input(),
                    tokens.output(),
                    tokens.cacheRead(),
                    tokens.cacheWrite(),
                    tokens.reasoning(),
                    session.billing().estimatedCostUsd().map(Csv::plain).orElse(""),
                    session.parent().map(SessionId::value).orElse(""),
                    session.startedAt(),
                    listing.lastActive(),
                    session.ending().map(end -> end.at().toString()).orElse(""),
                    session.ending().flatMap(Ending::reason).orElse(""));
        }
    }

    // ------------------------------------------------------------------ one conversation

    private WebResponse transcript(PageRequest request) {
        Session session = session(request);
        return told(request, "export transcript", session.id().value(), () -> {
            TranscriptText text = new TranscriptText(session, request.times());
            Windows windows = whole(session.id());
            return pieces(MARKDOWN, name(session) + ".md", pieces(text.head(), windows, text::of, ""));
        });
    }

    private WebResponse transcriptJson(PageRequest request) {
        GatewayInspection.Exports exports = exports();
        Session session = session(request);
        return told(request, "export transcript", session.id().value(), () -> {
            String row = exports.session(session);
            String head = row.substring(0, row.lastIndexOf('}')) + ",\"messages\":[";
            Windows windows = whole(session.id());
            StringBuilder comma = new StringBuilder();
            WebPieces pieces = pieces(
                    head,
                    windows,
                    message -> {
                        String text = comma + exports.message(message);
                        comma.replace(0, comma.length(), ",");
                        return text;
                    },
                    "]}\n");
            return pieces(JSON_LINES, name(session) + ".jsonl", pieces);
        });
    }

    private Session session(PageRequest request) {
        SessionId id = SessionId.of(
                request.parameter("id").orElseThrow(() -> new InvalidRequest("Which session? Its id is missing.")));
        return gateway.sessions()
                .find(id)
                .orElseThrow(() -> new InvalidRequest("There is no session " + id.value() + " any more."));
    }

    private Windows whole(SessionId id) {
        if (!gateway.transcripts().isWhole(id)) {
            throw new StorageUnavailable(
                    "What was said earlier in this session cannot be read until the storage is back, so it is not saved"
                            + " in part.",
                    null);
        }
        return Windows.of(gateway.transcripts(), id);
    }

    private static String name(Session session) {
        return "session-" + session.id().value();
    }

    /** Returns a head, what becomes of each message, and an end. */
    private static WebPieces pieces(String head, Windows windows, Function<StoredMessage, String> text, String end) {
        return new WebPieces() {
            private String before = head;
            private boolean over;

            @Override
            public Optional<String> next() {
                if (over) {
                    return Optional.empty();
                }
                StringBuilder piece = new StringBuilder(before);
                before = "";
                List<StoredMessage> window = windows.next();
                window.forEach(message -> piece.append(text.apply(message)));
                if (window.isEmpty()) {
                    over = true;
                    piece.append(end);
                }
                return piece.length() == 0 ? Optional.empty() : Optional.of(piece.toString());
            }
        };
    }

    // ------------------------------------------------------------------ a lane

    private WebResponse scenario(PageRequest request) {
        GatewayInspection.Exports exports = exports();
        SessionKey key = SessionKey.of(
                request.parameter("key").orElseThrow(() -> new InvalidRequest("Which lane? Its key is missing.")));
        if (gateway.laneReads().find(key).isEmpty()
                && gateway.laneReads().history(key, 1).isEmpty()) {
            throw new InvalidRequest("There is no lane " + key.value() + " any more.");
        }
        boolean texts = request.parameter("texts").isPresent();
        if (!scenarios.tryAcquire()) {
            return WebResponse.text(
                            503, "text/plain; charset=utf-8", "Another scenario is being made; try again in a moment.")
                    .with("Retry-After", "5");
        }
        try {
            return told(request, texts ? "export scenario with texts" : "export scenario", key.value(), () -> {
                StringBuilder lines = new StringBuilder();
                exports.scenario(gateway, key, texts, line -> lines.append(line).append('\n'));
                return Csv.download(Csv.safe("lane-" + key.value()) + ".jsonl", JSON_LINES, lines.toString());
            });
        } finally {
            scenarios.release();
        }
    }

    private GatewayInspection.Exports exports() {
        return gateway.exports()
                .orElseThrow(() ->
                        new InvalidRequest("This gateway is part of another program, which writes no such files."));
    }

    // ------------------------------------------------------------------ what all have

    private static WebResponse pieces(String type, String name, WebPieces pieces) {
        return new WebResponse.Pieces(200, Csv.download(name, type, "").headers(), pieces);
    }

    /** Tells the audit who takes what out, also where it cannot be read. */
    private WebResponse told(PageRequest request, String action, String target, Supplier<WebResponse> made) {
        String outcome = "failed";
        try {
            WebResponse answer = made.get();
            outcome = "begun";
            return answer;
        } catch (StorageUnavailable | StorageCorrupt e) {
            outcome = "unavailable";
            throw e;
        } finally {
            Audit.tell(gateway, request, action, target, outcome);
        }
    }
}
