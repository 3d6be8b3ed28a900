package dev.parley.adapter.console;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.HeldElsewhere;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.spi.WebRequest;
import dev.parley.application.spi.WebResponse;
import dev.parley.application.spi.WebRole;
import dev.parley.application.spi.WebSurface;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * {@code /console}: pages on which an operator sees what every conversation does and why, and acts. Each page is a function of what
 * the gateway says at that moment; what cannot be read is said to be unavailable, never shown as empty.
 */
final class Console implements WebSurface {
    private static final String HTML = "text/html; charset=utf-8";
    private static final String PLAIN = "text/plain; charset=utf-8";

    private final GatewayInspection gateway;
    private final Asset style = Asset.of("console.css", "text/css; charset=utf-8");
    private final Asset script = Asset.of("console.js", "text/javascript; charset=utf-8");
    private final InstantSource clock;
    private final Feed feed;
    private final Incidents incidents;
    private final Frames frames;
    private final Nodes nodes;
    private final Overview overview;
    private final LaneList lanes;
    private final LanePage lane;
    private final Turns turns;
    private final Deliveries deliveries;
    private final SessionPages sessions;
    private final SearchPage search;
    private final History history;
    private final StoragePage storage;
    private final GatewayPages others;
    private final Acts acts;
    private final Operating operating;
    private final Prune prune;
    private final WhatIf whatIf;
    private final Export export;

    Console(ProviderSettings settings) {
        this.gateway = settings.inspection();
        this.feed = new Feed(settings.timers());
        this.clock = settings.clock();
        this.frames = new Frames(gateway, style, script);
        this.export = new Export(gateway);
        StorageCheck check = new StorageCheck(settings, () -> feed.tell(StoragePage.CHECK));
        this.operating = new Operating(gateway, frames, check::begin);
        this.incidents = new Incidents(settings);
        this.nodes = new Nodes(gateway, frames);
        this.lanes = new LaneList(gateway, frames);
        this.turns = new Turns(gateway, frames);
        this.deliveries = new Deliveries(gateway, frames);
        this.history = new History(gateway, frames, incidents);
        this.overview = new Overview(gateway, frames, nodes, lanes, history, incidents);
        this.lane = new LanePage(gateway, frames, export, nodes, turns, deliveries);
        this.sessions = new SessionPages(gateway, frames, export);
        this.search = new SearchPage(gateway, frames);
        this.storage = new StoragePage(gateway, frames, check, incidents);
        this.others = new GatewayPages(gateway, frames);
        this.acts = new Acts(gateway, frames);
        this.prune = new Prune(gateway, settings.clock(), frames);
        this.whatIf = new WhatIf(
                gateway, settings.clock(), frames, new WhatIfJobs(settings, job -> feed.tell(WhatIf.topic(job))));
    }

    @Override
    public String path() {
        return Link.ROOT;
    }

    @Override
    public boolean hasLogin() {
        return true;
    }

    @Override
    public WebRole needed(String method, String path) {
        if (path.startsWith(Link.ROOT + "/assets/") && method.equals("GET")) {
            return WebRole.NOBODY;
        }
        return Route.at(place(path))
                .map(route -> needed(method, route))
                .orElse(method.equals("GET") ? WebRole.READER : WebRole.OPERATOR);
    }

    private static WebRole needed(String method, Route route) {
        boolean may = !route.isForOperatorsOnly() && (method.equals("GET") || route.isActedAt());
        return may ? WebRole.READER : WebRole.OPERATOR;
    }

    private static String place(String path) {
        return path.startsWith(Link.ROOT) ? path.substring(Link.ROOT.length()) : path;
    }

    @Override
    public void on(GatewayEvent event) {
        incidents.on(event);
        feed.on(event);
    }

    @Override
    public WebResponse answer(WebRequest web) {
        PageRequest request = new PageRequest(web, new Times(gateway.zone(), clock.instant()), feed.place());
        try {
            return routed(request);
        } catch (InvalidRequest e) {
            return page(400, frames.notice(request, String.valueOf(e.getMessage())));
        } catch (IllegalArgumentException e) {
            return page(400, frames.notice(request, "This address cannot be read: " + e.getMessage()));
        } catch (HeldElsewhere e) {
            return page(409, nodes.elsewhere(request, e.holder()));
        } catch (StorageUnavailable | StorageCorrupt e) {
            String what = request.method().equals("POST")
                    ? "This could not be done now, or it is not known whether it was; look again: "
                    : "This cannot be shown now: ";
            return page(503, frames.notice(request, what + e.getMessage()));
        }
    }

    private WebResponse routed(PageRequest request) {
        if (request.path().startsWith(Link.ROOT + "/assets/")) {
            return asset(request.path());
        }
        Optional<Route> route = Route.at(place(request.path()));
        if (route.isEmpty()) {
            return page(404, frames.notice(request, "There is no page here."));
        }
        return switch (request.method()) {
            case "GET" -> shown(route.get(), request);
            case "POST" -> done(route.get(), request);
            default -> WebResponse.text(405, PLAIN, "Pages are asked for with GET.");
        };
    }

    private WebResponse shown(Route route, PageRequest request) {
        return switch (route) {
            case OVERVIEW -> page(200, overview.page(request));
            case LANES -> page(200, lanes.page(request));
            case LANE -> found(lane.page(request));
            case SESSIONS -> page(200, sessions.sessions(request));
            case SESSION -> found(sessions.session(request));
            case SEARCH -> page(200, search.page(request));
            case USAGE -> page(200, others.usage(request));
            case DELIVERIES -> page(200, deliveries.page(request));
            case FAILURES -> page(200, turns.failures(request));
            case EVENTS -> page(200, history.events(request));
            case STORAGE -> page(200, storage.page(request));
            case RECOVERY -> page(200, history.recovery(request));
            case SETTINGS -> page(200, others.settings(request));
            case AUDIT -> page(200, others.audit(request));
            case WHAT_IF -> page(200, whatIf.page(request));
            case WHAT_IF_CANCEL -> page(405, frames.notice(request, "This is done with a button of the page What-if."));
            case PRUNE -> page(200, prune.ask(request));
            case LANE_RESET, LANE_UNRESET, LANE_SUSPEND, LANE_UNSUSPEND, LANE_INTERRUPT ->
                page(200, acts.ask(route.place(), request));
            case LANE_RESUME,
                    LANE_DROP,
                    DELIVERY_TRY,
                    DELIVERY_GIVE_UP,
                    SESSION_TITLE,
                    SESSION_END,
                    SESSION_REOPEN,
                    SESSION_DELETE,
                    HOLD,
                    RELEASE,
                    CHECK -> page(200, operating.ask(route.place(), request));
            case SESSIONS_CSV, SESSION_MARKDOWN, SESSION_JSON, SCENARIO -> export.answer(route.place(), request);
            case USAGE_CSV -> others.usageTable(request);
            case WHAT_IF_CSV -> whatIf.csv(request);
            case STREAM -> stream(request);
            case LOGIN -> page(200, others.login(request, style, script));
        };
    }

    private WebResponse done(Route route, PageRequest request) {
        if (!route.isActedAt()) {
            return WebResponse.text(405, PLAIN, "There is nothing to be done here.");
        }
        return switch (route) {
            case PRUNE -> prune.act(request);
            case WHAT_IF -> whatIf.begin(request);
            case WHAT_IF_CANCEL -> whatIf.cancel(request);
            default ->
                Acts.asks(route.place()) ? acts.act(route.place(), request) : operating.act(route.place(), request);
        };
    }

    private WebResponse asset(String address) {
        for (Asset asset : List.of(style, script)) {
            if (asset.address().equals(address)) {
                return WebResponse.text(200, asset.type(), asset.text())
                        .with("Cache-Control", "public, max-age=31536000, immutable");
            }
        }
        return WebResponse.text(404, PLAIN, "There is no such file.");
    }

    private WebResponse stream(PageRequest request) {
        Set<String> topics = request.parameter("topics")
                .map(text -> Arrays.stream(text.split(" ", -1))
                        .filter(topic -> !topic.isEmpty())
                        .limit(20)
                        .collect(Collectors.toSet()))
                .orElse(Set.of());
        return new WebResponse.Stream(
                200,
                Map.of("Content-Type", "text/event-stream; charset=utf-8", "X-Accel-Buffering", "no"),
                feed.read(topics, request.header("last-event-id").or(() -> request.parameter("since"))));
    }

    private static WebResponse found(Pages.Found page) {
        return page(page.status(), page.html());
    }

    private static WebResponse page(int status, String html) {
        return WebResponse.text(status, HTML, html);
    }
}
