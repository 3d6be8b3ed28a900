package dev.parley.adapter.http.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Cursor;
import dev.parley.application.port.EventQuery;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.LaneQuery;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Page;
import dev.parley.application.port.PlatformState;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.view.PlainRows;
import dev.parley.application.view.TimeSpan;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.source.Platform;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HttpResponseException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What can be asked over HTTP. */
final class Endpoints {
    /** Tells whoever searches what to know of the answer. */
    private static final String NOTE = "Parley-Note";

    /** Tells where a list goes on: the value of {@code after} for the next page. */
    private static final String NEXT = "Parley-Next";

    /** The states in which no message is taken. */
    private static final Set<String> NOT_TAKING = Set.of("draining", "starting", "refusing", "starved");

    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final Duration ALIVE_WITHIN = Duration.ofSeconds(5);
    private static final int MOST_ROWS = 1_000;
    private static final int MOST_MESSAGES = 100_000;
    private static final int USUAL_MESSAGES = 1_000;

    /** So many messages are shown before and behind another, where nothing is said. */
    private static final int AROUND = 5;

    private static final int BUFFER = 1 << 14;
    static final String RETRY_SECONDS = "5";
    private static final String KEPT = "The message is kept and will be answered; ask GET /v1/messages for the answer.";
    static final String AGAIN = "The message is not kept; hand it in again, with the same 'message_id' if it had one.";
    private static final String BROKEN = "Something went wrong in the gateway; its log tells more.";
    static final String STOPPING =
            "The gateway is stopping, and whether it has taken a message is not known; hand it in again with the same"
                    + " 'message_id' once the gateway is back.";

    private static final String LANES = "/v1/lanes";
    private static final String HISTORY = "/v1/lanes/history";
    private static final String SESSIONS = "/v1/sessions";
    private static final String TRANSCRIPT = "/v1/sessions/{id}/messages";
    private static final String SEARCH = "/v1/search";
    private static final Set<String> ROUTES =
            Set.of(Guard.MESSAGES, LANES, HISTORY, SESSIONS, SEARCH, Guard.HEALTH, Guard.LIVE, Guard.READY);

    private final ProviderSettings settings;
    private final HttpSettings http;
    private final SentMessages sentMessages;
    private final InboundListener listener;
    private final Map<EventStream, Chat> streams = new ConcurrentHashMap<>();
    private final Map<Long, CompletableFuture<Receipt>> receipts = new ConcurrentHashMap<>();
    private final AtomicLong handedIn = new AtomicLong();
    private final Set<WaitingAnswer> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    private record Chat(Platform platform, String chatId) {}

    Endpoints(ProviderSettings settings, HttpSettings http, SentMessages sentMessages, InboundListener listener) {
        this.settings = settings;
        this.http = http;
        this.sentMessages = sentMessages;
        this.listener = listener;
    }

    /** Returns what a path leads to, with a placeholder for what differs; {@code none} where it leads nowhere. */
    static String route(String path) {
        if (path.startsWith(SESSIONS + "/") && path.endsWith("/messages")) {
            return TRANSCRIPT;
        }
        return ROUTES.contains(path) || Changes.ROUTES.contains(path) ? path : "none";
    }

    /** Health is answered at once; whatever may take longer runs on the gateway's threads, so that health always is. */
    void addTo(RoutesConfig routes) {
        routes.post(Guard.MESSAGES, answering(this::message));
        routes.get(Guard.MESSAGES, later(this::messages));
        routes.get(LANES, later(this::lanes));
        routes.get(HISTORY, later(this::history));
        new Changes(this::inspection).addTo(routes, this::later);
        routes.get(SESSIONS, later(this::sessions));
        routes.get(TRANSCRIPT, later(this::transcript));
        routes.get(SEARCH, later(this::search));
        routes.get(Guard.HEALTH, this::health);
        routes.get(Guard.LIVE, this::live);
        routes.get(Guard.READY, this::ready);

        routes.exception(HttpResponseException.class, this::failed);
        routes.exception(Exception.class, this::failed);
    }

    /** What a request does that is answered when the future completes. */
    private interface Answering {
        CompletableFuture<@Nullable Void> answer(Context ctx) throws IOException;
    }

    private Handler later(Consumer<Context> work) {
        return answering(ctx -> {
            work.accept(ctx);
            return CompletableFuture.completedFuture(null);
        });
    }

    private Handler answering(Answering work) {
        return ctx -> {
            CompletableFuture<@Nullable Void> done = CompletableFuture.supplyAsync(() -> work, settings.executor())
                    .thenCompose(each -> {
                        try {
                            return each.answer(ctx);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
            ctx.future(() -> done.exceptionally(failure -> {
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
                failed(cause == null ? failure : cause, ctx);
                return null;
            }));
        };
    }

    /** Tells those who wait on a connection that no more will come on it. */
    void stop() {
        stopping = true;
        receipts.values().forEach(receipt -> receipt.complete(new Receipt.Unavailable(STOPPING)));
        waiting.forEach(answer -> answer.giveUp("The gateway is stopping. " + KEPT));
        streams.keySet().forEach(stream -> stream.fail("The gateway is stopping. " + KEPT));
    }

    /** Tells a message to those who wait for an answer in its chat; the answer of a turn itself they are told otherwise. */
    void tell(Outgoing message) {
        if (message.turn().isPresent() && message.kind() == Outgoing.Kind.REPLY) {
            return;
        }
        Chat chat = new Chat(message.platform(), message.chatId());
        streams.forEach((stream, of) -> {
            if (of.equals(chat)) {
                stream.tell(message);
            }
        });
    }

    private GatewayInspection inspection() {
        return settings.inspection();
    }

    /** Returns whether no more requests are answered. */
    boolean isStopping() {
        return stopping;
    }

    private Guard.Caller caller(Context ctx) {
        Guard.Caller caller = ctx.attribute(Gate.CALLER);
        if (caller == null) {
            throw new IllegalStateException("Nobody is admitted without a token: " + ctx.path());
        }
        return caller;
    }

    // ---- messages

    private CompletableFuture<@Nullable Void> message(Context ctx) throws IOException {
        MessageRequest request =
                MessageRequest.read(Json.object(body(ctx)), caller(ctx).platforms());
        String accept = Optional.ofNullable(ctx.req().getHeader("Accept")).orElse("");
        if (accept.toLowerCase(Locale.ROOT).contains("text/event-stream")) {
            return stream(ctx, request);
        }
        return request.waits() && !prefersAsync(ctx) ? answer(ctx, request) : accept(ctx, request);
    }

    private static boolean prefersAsync(Context ctx) {
        return Optional.ofNullable(ctx.req().getHeader("Prefer"))
                .orElse("")
                .toLowerCase(Locale.ROOT)
                .contains("respond-async");
    }

    private static byte[] body(Context ctx) {
        byte[] body = ctx.attribute(Gate.BODY);
        return body == null ? new byte[0] : body;
    }

    /** Hands a message in. A stop that overtakes the receipt is told instead of it, however early it comes. */
    private CompletableFuture<Receipt> receipt(MessageRequest request, AnswerListener answer) {
        CompletableFuture<Receipt> told = new CompletableFuture<>();
        long number = handedIn.incrementAndGet();
        receipts.put(number, told);
        if (stopping) {
            stop();
        }
        settings.executor().execute(() -> handIn(request.received(), answer, told));
        return told.whenCompleteAsync((receipt, failure) -> receipts.remove(number), settings.executor());
    }

    private void handIn(Received message, AnswerListener answer, CompletableFuture<Receipt> told) {
        try {
            var unused = listener.receive(message, answer).whenComplete((receipt, failure) -> {
                if (failure == null) {
                    told.complete(receipt);
                } else {
                    told.completeExceptionally(failure);
                }
            });
        } catch (RuntimeException | Error e) {
            told.completeExceptionally(e);
        }
    }

    private CompletableFuture<@Nullable Void> accept(Context ctx, MessageRequest request) {
        return receipt(request, AnswerListener.NONE).thenAccept(receipt -> {
            if (!refused(ctx, receipt)) {
                boolean duplicate = receipt instanceof Receipt.Duplicate;
                json(ctx, duplicate ? 200 : 202, taken(receipt).put("status", "accepted"));
            }
        });
    }

    private CompletableFuture<@Nullable Void> answer(Context ctx, MessageRequest request) {
        WaitingAnswer answer = new WaitingAnswer();
        return receipt(request, answer).thenCompose(receipt -> answered(ctx, receipt, answer));
    }

    private CompletableFuture<@Nullable Void> answered(Context ctx, Receipt receipt, WaitingAnswer answer) {
        if (refused(ctx, receipt)) {
            return CompletableFuture.completedFuture(null);
        }
        if (receipt instanceof Receipt.Duplicate) {
            json(ctx, 200, taken(receipt).put("status", "accepted"));
            return CompletableFuture.completedFuture(null);
        }
        waiting.add(answer);
        Timers.Timer limit = settings.timers()
                .after(
                        http.answerLimit(),
                        () -> answer.giveUp(
                                "No answer within " + http.answerLimit().toSeconds() + " seconds. " + KEPT));
        if (stopping) {
            stop();
        }
        return answer.outcome()
                .thenAcceptAsync(
                        outcome -> {
                            waiting.remove(answer);
                            limit.cancel();
                            boolean gaveUp = outcome.path("status").asText().equals("waiting");
                            json(ctx, gaveUp ? 202 : 200, taken(receipt).setAll(outcome));
                        },
                        settings.executor());
    }

    private CompletableFuture<@Nullable Void> stream(Context ctx, MessageRequest request) {
        EventStream stream = new EventStream(settings.executor());
        return receipt(request, stream).thenCompose(receipt -> streamed(ctx, request, receipt, stream));
    }

    private CompletableFuture<@Nullable Void> streamed(
            Context ctx, MessageRequest request, Receipt receipt, EventStream stream) {
        if (refused(ctx, receipt)) {
            return CompletableFuture.completedFuture(null);
        }
        ctx.res().setStatus(200);
        ctx.res().setContentType("text/event-stream");
        ctx.res().setCharacterEncoding("UTF-8");
        ctx.res().setHeader("Cache-Control", "no-cache");
        ctx.res().setHeader("X-Accel-Buffering", "no");
        OutputStream out;
        try {
            out = ctx.res().getOutputStream();
        } catch (IOException callerIsGone) {
            return CompletableFuture.completedFuture(null);
        }
        streams.put(
                stream,
                new Chat(
                        request.received().source().platform(),
                        request.received().source().chatId()));
        stream.open(out, "admitted", taken(receipt));
        if (receipt instanceof Receipt.Duplicate) {
            stream.end();
        }
        if (stopping) {
            stop();
        }
        beat(stream);
        return stream.ended().thenRun(() -> streams.remove(stream));
    }

    private void beat(EventStream stream) {
        Timers.Timer next = settings.timers().after(HEARTBEAT, () -> {
            if (!stream.ended().isDone()) {
                stream.heartbeat();
                beat(stream);
            }
        });
        var unused = stream.ended().thenRun(next::cancel);
    }

    private static ObjectNode taken(Receipt receipt) {
        if (receipt instanceof Receipt.Admitted admitted) {
            return taken(admitted.id(), admitted.lane(), false);
        }
        if (receipt instanceof Receipt.Duplicate duplicate) {
            return taken(duplicate.id(), duplicate.lane(), true);
        }
        throw new IllegalStateException("Not taken: " + receipt);
    }

    private static ObjectNode taken(InboundId id, SessionKey lane, boolean duplicate) {
        return Json.object().put("id", id.value()).put("lane", lane.value()).put("duplicate", duplicate);
    }

    /** Answers where the message was not taken; returns whether it was not. */
    private static boolean refused(Context ctx, Receipt receipt) {
        if (receipt instanceof Receipt.Refused refused) {
            error(ctx, 403, refused.why());
            return true;
        }
        if (receipt instanceof Receipt.TurnedAway away) {
            ctx.header("Retry-After", seconds(away.retryAfter()));
            error(ctx, 429, away.why() + " " + AGAIN);
            return true;
        }
        if (receipt instanceof Receipt.Unavailable unavailable) {
            error(ctx, 503, unavailable.why());
            return true;
        }
        return false;
    }

    private static String seconds(Optional<Duration> wait) {
        return wait.map(time -> String.valueOf(Math.max(1, time.plusMillis(999).toSeconds())))
                .orElse(RETRY_SECONDS);
    }

    private void messages(Context ctx) {
        Set<Platform> allowed = caller(ctx).platforms();
        Platform platform = text(ctx, "platform")
                .map(Platform::of)
                .orElse(
                        allowed.contains(Platform.WEBHOOK)
                                ? Platform.WEBHOOK
                                : allowed.iterator().next());
        if (!allowed.contains(platform)) {
            throw new Rejected(403, "This token may not read messages of the platform '" + platform + "'.");
        }
        String chat =
                text(ctx, "chat_id").orElseThrow(() -> new Rejected(400, "'chat_id' is missing: whose messages?"));
        Optional<OutgoingId> named = text(ctx, "message").map(OutgoingId::new);
        if (named.isPresent()) {
            file(ctx, platform, chat, named.get());
            return;
        }
        SentMessages.Page page = sentMessages.read(
                platform,
                chat,
                text(ctx, "after").map(OutgoingId::new),
                number(ctx, "limit", 100, 1, MOST_ROWS),
                inspection().queue(),
                settings.clock().instant());
        ObjectNode body = Json.object();
        ArrayNode rows = body.putArray("messages");
        page.messages().forEach(message -> rows.add(LiveRows.outgoing(message)));
        json(ctx, 200, body.put("gap", page.gap()));
    }

    private void file(Context ctx, Platform platform, String chat, OutgoingId named) {
        Outgoing message = sentMessages
                .read(
                        platform,
                        chat,
                        Optional.empty(),
                        Integer.MAX_VALUE,
                        inspection().queue(),
                        settings.clock().instant())
                .messages()
                .stream()
                .filter(each -> each.id().equals(named))
                .findFirst()
                .orElseThrow(() ->
                        new Rejected(404, "The chat has no message " + OneLine.quoted(named.value()) + " any more."));
        SentFiles.write(ctx, message, number(ctx, "file", 1, 1, MOST_ROWS), settings.media());
    }

    // ---- lanes

    /** All lanes by key, written as they are read; or a page of them, latest activity first, where a page is asked for. */
    private void lanes(Context ctx) {
        Set<SessionKey> running = Set.copyOf(inspection().running());
        Map<SessionKey, Integer> depths = inspection().queue().admitted().stream()
                .collect(Collectors.groupingBy(Inbound::lane, Collectors.summingInt(each -> 1)));
        Function<Lane, JsonNode> row = lane -> LiveRows.lane(new GatewayInspection.LaneState(
                lane, running.contains(lane.key()), depths.getOrDefault(lane.key(), 0)));
        Lanes lanes = inspection().laneReads();
        if (!asksForPage(ctx)) {
            written(ctx, each -> lanes.forEach(lane -> each.accept(row.apply(lane))));
            return;
        }
        Page<Lane> page = lanes.page(new LaneQuery(
                text(ctx, "platform").map(Platform::of),
                text(ctx, "state").map(Endpoints::stand),
                text(ctx, "q"),
                text(ctx, "after").map(Cursor::parse),
                number(ctx, "limit", 100, 1, MOST_ROWS),
                LaneQuery.FEW_LOOKS));
        next(ctx, page);
        rows(ctx, page.rows().stream().map(row));
    }

    private static boolean asksForPage(Context ctx) {
        return Stream.of("limit", "after", "platform", "state", "q")
                .anyMatch(name -> text(ctx, name).isPresent());
    }

    private static LaneQuery.Stand stand(String word) {
        return Arrays.stream(LaneQuery.Stand.values())
                .filter(stand -> stand.name().equalsIgnoreCase(word))
                .findFirst()
                .orElseThrow(() -> new Rejected(400, "'state' is one of open, resume_pending and suspended."));
    }

    /** Tells where the list goes on, where it does. */
    private static void next(Context ctx, Page<?> page) {
        page.next().ifPresent(place -> ctx.header(NEXT, place.text()));
    }

    private void history(Context ctx) {
        SessionKey key = key(ctx);
        ArrayNode rows = Json.object().putArray("history");
        TimeSpan span = span(ctx);
        Page<LaneEvent> page = inspection()
                .laneReads()
                .events(EventQuery.first(number(ctx, "limit", 50, 1, MOST_ROWS))
                        .of(key)
                        .between(span.from(), span.to())
                        .after(text(ctx, "after").map(Cursor::parse)));
        next(ctx, page);
        page.rows().forEach(event -> rows.add(Json.tree(PlainRows.event(event))));
        if (rows.isEmpty() && inspection().lane(key).isEmpty()) {
            throw noLane(key);
        }
        json(ctx, 200, rows);
    }

    private TimeSpan span(Context ctx) {
        return TimeSpan.of(
                "'from'",
                text(ctx, "from"),
                "'to'",
                text(ctx, "to"),
                inspection().zone());
    }

    static Rejected noLane(SessionKey key) {
        return new Rejected(404, "There is no lane " + OneLine.quoted(key.value()) + "; see GET /v1/lanes.");
    }

    static SessionKey key(Context ctx) {
        String key = text(ctx, "key").orElseThrow(() -> new Rejected(400, "'key' is missing: which lane?"));
        try {
            return SessionKey.of(key);
        } catch (IllegalArgumentException e) {
            throw new Rejected(400, String.valueOf(e.getMessage()));
        }
    }

    // ---- sessions

    private void sessions(Context ctx) {
        ArrayNode rows = Json.object().putArray("sessions");
        Optional<Cursor> after = text(ctx, "after").map(Cursor::parse);
        TimeSpan span = span(ctx);
        SessionQuery query = SessionQuery.usual()
                .window(number(ctx, "limit", 20, 1, MOST_ROWS), number(ctx, "offset", 0, 0, Integer.MAX_VALUE))
                .sources(text(ctx, "source"), Set.copyOf(list(ctx, "exclude")))
                .shape(flag(ctx, "children"), !flag(ctx, "raw"))
                .between(span.from(), span.to());
        List<SessionListing> listed;
        if (after.isPresent() || flag(ctx, "paged")) {
            Page<SessionListing> page = inspection().sessions().page(query, after);
            next(ctx, page);
            listed = page.rows();
        } else {
            listed = inspection().sessions().list(query);
        }
        listed.forEach(listing -> rows.add(Json.tree(PlainRows.listing(listing))));
        json(ctx, 200, rows);
    }

    private void transcript(Context ctx) {
        SessionId id;
        try {
            id = SessionId.of(ctx.pathParam("id"));
        } catch (IllegalArgumentException e) {
            throw new Rejected(400, String.valueOf(e.getMessage()));
        }
        if (inspection().sessions().find(id).isEmpty()) {
            throw new Rejected(404, "There is no session " + OneLine.quoted(id.value()) + "; see GET /v1/sessions.");
        }
        Optional<String> middle = text(ctx, "around");
        if (middle.isPresent()) {
            around(ctx, id, middle.get());
            return;
        }
        List<StoredMessage> messages =
                inspection().transcripts().tail(id, number(ctx, "limit", USUAL_MESSAGES, 1, MOST_MESSAGES));
        rows(ctx, messages.stream().map(message -> Json.tree(PlainRows.message(message))));
    }

    private void around(Context ctx, SessionId id, String middle) {
        if (text(ctx, "limit").isPresent()) {
            throw new Rejected(400, "'around' and 'limit' exclude each other; say 'before' and 'after'.");
        }
        List<StoredMessage> messages = inspection()
                .transcripts()
                .around(
                        id,
                        row(middle),
                        number(ctx, "before", AROUND, 0, MOST_ROWS),
                        number(ctx, "after", AROUND, 0, MOST_ROWS));
        if (messages.isEmpty()) {
            throw new Rejected(404, "The session " + OneLine.quoted(id.value()) + " has no message " + middle + ".");
        }
        rows(ctx, messages.stream().map(message -> Json.tree(PlainRows.message(message))));
    }

    private static long row(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new Rejected(400, "'around' is the id of a message, such as 17, not " + OneLine.quoted(text) + ".");
        }
    }

    private void search(Context ctx) {
        String query = Optional.ofNullable(ctx.queryParam("q"))
                .orElseThrow(() -> new Rejected(400, "'q' is missing: what to search for?"));
        Optional<SearchQuery.Sort> sort = text(ctx, "sort").flatMap(Endpoints::sort);
        ArrayNode rows = Json.object().putArray("hits");
        List<String> notes = new ArrayList<>();
        TimeSpan span = span(ctx);
        inspection()
                .search()
                .search(
                        new SearchQuery(
                                        query,
                                        Optional.of(list(ctx, "source")).filter(sources -> !sources.isEmpty()),
                                        list(ctx, "exclude"),
                                        list(ctx, "role"),
                                        number(ctx, "limit", 20, 1, MOST_ROWS),
                                        number(ctx, "offset", 0, 0, Integer.MAX_VALUE),
                                        sort,
                                        Viewer.operator())
                                .between(span.from(), span.to()),
                        notes::add)
                .forEach(hit -> rows.add(Json.tree(PlainRows.hit(hit))));
        if (!notes.isEmpty()) {
            ctx.header(NOTE, String.join(" ", notes));
        }
        json(ctx, 200, rows);
    }

    /** Anything but newest and oldest is the order by match (storage 5.1). */
    private static Optional<SearchQuery.Sort> sort(String word) {
        return switch (word.strip().toLowerCase(Locale.ROOT)) {
            case "newest" -> Optional.of(SearchQuery.Sort.NEWEST);
            case "oldest" -> Optional.of(SearchQuery.Sort.OLDEST);
            default -> Optional.empty();
        };
    }

    // ---- health

    /** Without a token only the word is told: what goes wrong inside is the operator's business. */
    private void health(Context ctx) {
        Map<String, String> health = inspection().health();
        List<PlatformState> states = inspection().platforms();
        String status = health.getOrDefault("status", "ok");
        String word = status.equals("ok") && states.stream().anyMatch(Endpoints::isTroubled) ? "troubled" : status;
        ObjectNode body = Json.object().put("status", word);
        Guard.Caller caller = ctx.attribute(Gate.CALLER);
        if (caller != null && (caller.operator() || caller.reader())) {
            health.forEach(body::put);
            body.put("status", word);
            ArrayNode platforms = body.putArray("platforms");
            states.forEach(state -> platform(platforms.addObject(), state));
        }
        json(ctx, NOT_TAKING.contains(status) ? 503 : 200, body);
    }

    /** Returns whether people are not heard or not answered somewhere, though messages are taken. */
    private static boolean isTroubled(PlatformState state) {
        return switch (state.standing()) {
            case TROUBLED, AWAY, REFUSED -> true;
            case CONNECTING -> state.error().isPresent();
            case CONNECTED -> false;
        };
    }

    private static void platform(ObjectNode row, PlatformState state) {
        row.put("platform", state.platform().name());
        row.put("state", state.standing().word());
        row.put("since", state.since().toString());
        state.error().ifPresent(error -> row.put("error", error));
        state.advice().ifPresent(advice -> row.put("advice", advice));
    }

    /** Whether the process is worth keeping: it is while it drains, starts or is degraded. */
    private void live(Context ctx) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Timers.Timer limit = settings.timers().after(ALIVE_WITHIN, () -> answer.complete(false));
        var unused = inspection().alive().whenComplete((done, failure) -> answer.complete(failure == null));
        ctx.future(() -> answer.thenAccept(alive -> {
            limit.cancel();
            checks(ctx, List.of(new Check("desk", alive, alive ? "" : "has not answered for " + ALIVE_WITHIN)));
        }));
    }

    /** Whether messages should be sent here. */
    private void ready(Context ctx) {
        Map<String, String> health = inspection().health();
        String status = health.getOrDefault("status", "ok");
        boolean takes = !status.equals("refusing");
        boolean runs = !NOT_TAKING.contains(status) || !takes;
        checks(
                ctx,
                List.of(
                        new Check("running", runs, runs ? "" : status),
                        new Check("storage", takes, takes ? "" : health.getOrDefault("refusing_because", status))));
    }

    /** Something that must hold. */
    private record Check(String name, boolean ok, String why) {}

    private void checks(Context ctx, List<Check> checks) {
        boolean ok = checks.stream().allMatch(Check::ok);
        ObjectNode body = Json.object().put("status", ok ? "ok" : "failing");
        Guard.Caller caller = ctx.attribute(Gate.CALLER);
        if (caller != null && (caller.operator() || caller.reader())) {
            ArrayNode rows = body.putArray("checks");
            checks.forEach(check -> {
                ObjectNode row = rows.addObject().put("name", check.name()).put("ok", check.ok());
                if (!check.ok()) {
                    row.put("why", check.why());
                }
            });
        }
        json(ctx, ok ? 200 : 503, body);
    }

    // ---- requests and responses

    static Optional<String> text(Context ctx, String name) {
        return Optional.ofNullable(ctx.queryParam(name)).filter(text -> !text.isEmpty());
    }

    private static List<String> list(Context ctx, String name) {
        return text(ctx, name).stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static boolean flag(Context ctx, String name) {
        String text = ctx.queryParam(name);
        if (text == null) {
            return false;
        }
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "", "true", "1", "yes" -> true;
            case "false", "0", "no" -> false;
            default ->
                throw new Rejected(400, "'" + name + "' must be true or false, not " + OneLine.quoted(text) + ".");
        };
    }

    private static int number(Context ctx, String name, int usual, int least, int most) {
        Optional<String> text = text(ctx, name);
        if (text.isEmpty()) {
            return usual;
        }
        try {
            int value = Integer.parseInt(text.get());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // Said below, together with numbers out of range.
        }
        throw new Rejected(
                400,
                "'" + name + "' must be a whole number from " + least + " to " + most + ", not "
                        + OneLine.quoted(text.get()) + ".");
    }

    /** Writes rows as they are read, one at a time. What fails before the first is answered as a failure. */
    private static void written(Context ctx, Consumer<Consumer<JsonNode>> rows) {
        ctx.status(200).contentType("application/json");
        try (OutputStream out = new BufferedOutputStream(ctx.outputStream(), BUFFER)) {
            AtomicInteger before = new AtomicInteger('[');
            rows.accept(row -> {
                try {
                    out.write(before.getAndSet(','));
                    out.write(Json.bytes(row));
                } catch (IOException callerIsGone) {
                    throw new UncheckedIOException(callerIsGone);
                }
            });
            if (before.get() == '[') {
                out.write('[');
            }
            out.write(']');
        } catch (IOException | UncheckedIOException callerIsGone) {
            // Nobody reads the rest.
        }
    }

    /** Writes as many rows as there are, one at a time. */
    private static void rows(Context ctx, Stream<JsonNode> rows) {
        ctx.status(200).contentType("application/json");
        try (OutputStream out = new BufferedOutputStream(ctx.outputStream(), BUFFER)) {
            byte before = '[';
            for (Iterator<JsonNode> each = rows.iterator(); each.hasNext(); ) {
                out.write(before);
                out.write(Json.bytes(each.next()));
                before = ',';
            }
            if (before == '[') {
                out.write(before);
            }
            out.write(']');
        } catch (IOException callerIsGone) {
            // Nobody reads the rest.
        }
    }

    static void json(Context ctx, int status, JsonNode body) {
        ctx.status(status).contentType("application/json").result(Json.bytes(body));
    }

    private static void error(Context ctx, int status, String message) {
        if (status == 503) {
            ctx.header("Retry-After", RETRY_SECONDS);
        }
        json(ctx, status, Json.error(message));
    }

    private void failed(Throwable failure, Context ctx) {
        if (failure instanceof Rejected rejected) {
            error(ctx, rejected.status(), rejected.message());
        } else if (failure instanceof InvalidRequest refused) {
            error(ctx, 400, String.valueOf(refused.getMessage()));
        } else if (failure instanceof HttpResponseException refusal && refusal.getStatus() < 500) {
            error(ctx, refusal.getStatus(), known(refusal.getStatus()));
        } else {
            broken(failure, ctx);
        }
    }

    private void broken(Throwable failure, Context ctx) {
        if (failure instanceof StorageUnavailable) {
            error(ctx, 503, String.valueOf(failure.getMessage()));
        } else if (failure instanceof StorageCorrupt) {
            error(ctx, 500, String.valueOf(failure.getMessage()));
        } else if (stopping) {
            error(ctx, 503, STOPPING);
        } else {
            settings.warnings().accept("HTTP " + ctx.method() + " " + ctx.path() + " failed: " + failure);
            error(ctx, 500, BROKEN);
        }
    }

    private static String known(int status) {
        return switch (status) {
            case 404 -> "There is nothing here; see /v1/lanes, /v1/sessions, /v1/search, /v1/messages and /healthz.";
            case 405 -> "This address does not take that method.";
            case 413 -> "The body is too large.";
            default -> "The request cannot be answered (" + status + ").";
        };
    }
}
