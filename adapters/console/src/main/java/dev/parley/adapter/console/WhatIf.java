package dev.parley.adapter.console;

import dev.parley.application.expiry.PolicyEffect;
import dev.parley.application.expiry.PolicyReplay.LaneReplay;
import dev.parley.application.expiry.PolicyReplay.Reset;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.WebResponse;
import dev.parley.domain.reset.AppliedPolicy;
import dev.parley.domain.reset.ResetMode;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Asks what another reset policy would have done to what has happened: a form with a policy for all lanes, for types of chats and for
 * platforms; a job with its progress; and what it found. It changes nothing, so readers may ask too.
 *
 * @param gateway the gateway
 * @param clock time
 * @param frames makes what pages have around them
 * @param jobs runs what is asked
 */
record WhatIf(GatewayInspection gateway, InstantSource clock, Frames frames, WhatIfJobs jobs) {
    static final String PLACE = "/what-if";
    static final String CANCEL = PLACE + "/cancel";
    static final String TABLE = PLACE + ".csv";

    private static final String TITLE = "What-if";
    private static final List<Integer> DAYS = List.of(7, 30, 90, 365);
    private static final List<ChatType> TYPES = List.of(ChatType.DM, ChatType.GROUP, ChatType.CHANNEL, ChatType.THREAD);
    private static final long IDLE_MOST = 10L * 366 * 24 * 60;
    private static final int SHOWN = 50;
    private static final int RESETS_SHOWN = 20;
    private static final String ALL = "all";

    /** Returns the page. */
    String page(PageRequest request) {
        Optional<WhatIfJob> job = jobs.latest();
        ResetPolicies shown = job.map(each -> each.asked().policies()).orElseGet(gateway::resets);
        int days = job.map(each -> each.asked().days()).orElse(30);
        return WhatIfRenderer.of()
                .execute(new Pages.WhatIf(
                        frames.of(
                                request,
                                TITLE,
                                job.map(each -> topic(each.id())).orElse("")),
                        Link.ROOT + PLACE,
                        Link.ROOT + CANCEL,
                        scopes(shown),
                        DAYS.stream()
                                .map(each -> new Pages.Pick(String.valueOf(each), each + " days", each == days))
                                .toList(),
                        gateway.zone().getId(),
                        job.map(this::run).map(List::of).orElse(List.of())));
    }

    static String topic(String job) {
        return "job:" + job;
    }

    // ------------------------------------------------------------------ the form

    private List<Pages.Scope> scopes(ResetPolicies shown) {
        List<Pages.Scope> scopes = new ArrayList<>();
        scopes.add(scope(ALL, "All lanes", Optional.of(shown.defaultPolicy()), shown.defaultPolicy(), false));
        for (ChatType type : TYPES) {
            scopes.add(scope(
                    "type-" + type.value(),
                    "Chats of type " + type.value(),
                    Optional.ofNullable(shown.byType().get(type)),
                    shown.defaultPolicy(),
                    true));
        }
        for (Platform platform : platforms()) {
            scopes.add(scope(
                    "platform-" + platform.name(),
                    "Platform " + platform.name(),
                    Optional.ofNullable(shown.byPlatform().get(platform)).map(AppliedPolicy::policy),
                    shown.defaultPolicy(),
                    true));
        }
        return scopes;
    }

    /** Returns the platforms there are, and those that have a policy of their own. */
    private Set<Platform> platforms() {
        Set<Platform> platforms = new TreeSet<>(Comparator.comparing(Platform::name));
        gateway.platforms().forEach(each -> platforms.add(each.platform()));
        platforms.addAll(gateway.resets().byPlatform().keySet());
        return platforms;
    }

    private static Pages.Scope scope(
            String name, String label, Optional<ResetPolicy> own, ResetPolicy general, boolean inherits) {
        List<Pages.Pick> modes = new ArrayList<>();
        if (inherits) {
            modes.add(new Pages.Pick("", "as the more general one", own.isEmpty()));
        }
        for (ResetMode mode : ResetMode.values()) {
            modes.add(new Pages.Pick(
                    word(mode),
                    label(mode),
                    own.filter(policy -> policy.mode() == mode).isPresent()));
        }
        ResetPolicy policy = own.orElse(general);
        return new Pages.Scope(
                name,
                label,
                modes,
                String.valueOf(policy.atHour()),
                String.valueOf(Math.max(1, policy.idle().toMinutes())));
    }

    private static String word(ResetMode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }

    private static String label(ResetMode mode) {
        return switch (mode) {
            case NONE -> "none: never by itself";
            case IDLE -> "idle: after inactivity";
            case DAILY -> "daily: at an hour";
            case BOTH -> "both";
        };
    }

    private ResetPolicies policies(PageRequest request) {
        ResetPolicies now = gateway.resets();
        ResetPolicy general = policy(request, ALL, now.defaultPolicy())
                .orElseThrow(
                        () -> new InvalidRequest("Say what ends a session of all lanes: none, idle, daily or both."));
        ResetPolicies policies = ResetPolicies.of(general);
        for (ChatType type : TYPES) {
            Optional<ResetPolicy> own = policy(request, "type-" + type.value(), general);
            if (own.isPresent()) {
                policies = policies.withType(type, own.get());
            }
        }
        for (Platform platform : platforms()) {
            Optional<ResetPolicy> own = policy(request, "platform-" + platform.name(), general);
            if (own.isPresent()) {
                policies = policies.withPlatform(platform, own.get());
            }
        }
        return policies;
    }

    private static Optional<ResetPolicy> policy(PageRequest request, String scope, ResetPolicy like) {
        Optional<String> mode = request.field("mode-" + scope);
        if (mode.isEmpty()) {
            return Optional.empty();
        }
        ResetMode wanted = List.of(ResetMode.values()).stream()
                .filter(each -> word(each).equals(mode.get()))
                .findFirst()
                .orElseThrow(() -> new InvalidRequest("What ends a session is none, idle, daily or both."));
        return Optional.of(like.withMode(wanted)
                .withAtHour((int) within(request, "hour-" + scope, 0, 23, "The hour", like.atHour()))
                .withIdle(Duration.ofMinutes(within(
                        request,
                        "idle-" + scope,
                        1,
                        IDLE_MOST,
                        "The idle minutes",
                        like.idle().toMinutes()))));
    }

    private static long within(PageRequest request, String name, long least, long most, String what, long otherwise) {
        Optional<String> text = request.field(name).map(String::strip);
        if (text.isEmpty()) {
            return otherwise;
        }
        boolean number = text.get().matches("[0-9]{1,9}");
        long value = number ? Long.parseLong(text.get()) : -1;
        if (value < least || value > most) {
            throw new InvalidRequest(what + " must be a number from " + least + " to " + most + ".");
        }
        return value;
    }

    // ------------------------------------------------------------------ acting

    /** Begins what a form asks for; nothing where another what-if runs. */
    WebResponse begin(PageRequest request) {
        ResetPolicies policies = policies(request);
        int days = DAYS.stream()
                .filter(each -> request.field("days")
                        .filter(String.valueOf(each)::equals)
                        .isPresent())
                .findFirst()
                .orElse(30);
        boolean begun = jobs.begin(
                        new WhatIfJob.Asked(policies, days, clock.instant().minus(Duration.ofDays(days))))
                .isPresent();
        told(request, "what-if", begun ? "begun" : "refused");
        return begun
                ? WebResponse.see(Link.ROOT + PLACE)
                : notice(request, "A what-if runs already; one runs at a time. Wait for it, or cancel it.");
    }

    /** Ends the job that a form means. */
    WebResponse cancel(PageRequest request) {
        boolean cancelled = jobs.cancel(request.field("job").orElse(""));
        told(request, "what-if cancel", cancelled ? "done" : "nothing");
        return cancelled ? WebResponse.see(Link.ROOT + PLACE) : notice(request, "This what-if has ended already.");
    }

    private WebResponse notice(PageRequest request, String text) {
        return WebResponse.text(
                409,
                "text/html; charset=utf-8",
                NoticeRenderer.of()
                        .execute(new Pages.Notice(
                                frames.of(request, TITLE, ""), text, Link.ROOT + PLACE, "Look at it")));
    }

    private void told(PageRequest request, String action, String outcome) {
        gateway.told(new GatewayEvent.OperatorActed(
                request.caller().name(),
                request.caller().role().name().toLowerCase(Locale.ROOT),
                request.caller().remote(),
                action,
                "",
                outcome));
    }

    // ------------------------------------------------------------------ what was found

    private Pages.Run run(WhatIfJob job) {
        WhatIfJob.Standing standing = job.standing();
        PolicyEffect.Sums sums = standing.sums();
        Times times = new Times(gateway.zone(), clock.instant());
        boolean running = standing.state() == WhatIfJob.State.RUNNING;
        List<Pages.Fact> facts = List.of(
                Pages.Fact.of("Lanes written to", Words.number(sums.lanes())),
                Pages.Fact.of("Lanes that would differ", Words.number(sums.differing())),
                Pages.Fact.of("Sessions that ended", Words.number(sums.happened())),
                Pages.Fact.of("Would have ended", Words.number(sums.imagined())),
                Pages.Fact.of("Ended, and would not have", Words.number(sums.spared())),
                Pages.Fact.of("Would have ended, and did not", Words.number(sums.added())),
                Pages.Fact.of("Tokens carried", Words.number(sums.tokensCarried())),
                Pages.Fact.of("Tokens it would have carried", Words.number(sums.tokensImagined())));
        return new Pages.Run(
                job.id(),
                said(standing, job, times),
                String.valueOf(standing.done()),
                String.valueOf(Math.max(1, standing.total())),
                running,
                standing.state() == WhatIfJob.State.FAILED,
                facts,
                running ? List.of() : List.of(table(standing.lanes(), sums, times)),
                yaml(job.asked().policies()),
                Link.ROOT + TABLE);
    }

    private static String said(WhatIfJob.Standing standing, WhatIfJob job, Times times) {
        String of = Words.number(standing.done()) + " of " + Words.count(standing.total(), "lane");
        String span = "the last " + job.asked().days() + " days";
        return switch (standing.state()) {
            case RUNNING ->
                standing.total() == 0 ? "Looking for lanes." : "Replaying " + span + ": " + of + " looked at.";
            case DONE ->
                "Replayed " + span + " of " + Words.count(standing.total(), "lane") + ", "
                        + times.ago(standing.endedAt().orElse(job.startedAt())) + ". Kept for ten minutes.";
            case CANCELLED -> "Cancelled after " + of + "; what is said below is of these.";
            case FAILED -> "It ended after " + of + ": " + Words.line(standing.failure());
        };
    }

    private static Table table(List<LaneReplay> lanes, PolicyEffect.Sums sums, Times times) {
        List<Row> rows = new ArrayList<>();
        for (LaneReplay lane : lanes.subList(0, Math.min(SHOWN, lanes.size()))) {
            String key = lane.lane().value();
            List<Cell> details = new ArrayList<>();
            lane.added().forEach(reset -> details.add(detail(reset, "would have ended", times)));
            lane.spared().forEach(reset -> details.add(detail(reset, "ended, and would not have", times)));
            rows.add(new Row(
                    "what-if-" + key,
                    List.of(
                            Cell.text("Lane", LaneList.name(lane.lane()))
                                    .to(Link.lane(key))
                                    .titled(key),
                            Cell.text("By", lane.policyFrom()),
                            Cell.number("Ended", lane.happened().size()),
                            Cell.number("Would have", lane.imagined().size()),
                            Cell.number("Tokens carried", lane.tokensCarried()),
                            Cell.number("Would have been", lane.tokensImagined())),
                    details.subList(0, Math.min(RESETS_SHOWN, details.size()))));
        }
        return Table.of(
                sums.differing() > rows.size()
                        ? "The " + rows.size() + " lanes that would differ most, of " + Words.number(sums.differing())
                        : "The lanes that would differ",
                List.of("Lane", "By", "Ended", "Would have", "Tokens carried", "Would have been"),
                rows,
                sums.lanes() == 0
                        ? "Nobody wrote in this time."
                        : "No session would have ended earlier or later than it did.");
    }

    private static Cell detail(Reset reset, String what, Times times) {
        return Cell.text(
                        times.exact(reset.at()),
                        "Session " + reset.session().value() + " " + what + ": "
                                + reset.reason().text() + ", last active " + times.exact(reset.lastActivity()))
                .to(Link.session(reset.session().value()));
    }

    /** Returns the resets of the lanes that were kept, for a spreadsheet. */
    WebResponse csv(PageRequest request) {
        WhatIfJob job = jobs.latest()
                .filter(each -> !each.isRunning())
                .orElseThrow(() -> new InvalidRequest("There is no what-if to save; run one first."));
        Csv csv =
                Csv.of("lane", "policy", "session", "at", "reason", "last_activity", "happened", "would_have_happened");
        for (LaneReplay lane : job.standing().lanes()) {
            List<Reset> both = lane.imagined().stream()
                    .filter(reset -> !lane.added().contains(reset))
                    .toList();
            rows(csv, lane, lane.added(), "no", "yes");
            rows(csv, lane, lane.spared(), "yes", "no");
            rows(csv, lane, both, "yes", "yes");
        }
        told(request, "export what-if", "done");
        return csv.saved("what-if-" + job.asked().days() + "-days.csv");
    }

    private static void rows(Csv csv, LaneReplay lane, List<Reset> resets, String happened, String would) {
        resets.forEach(reset -> csv.row(
                lane.lane().value(),
                lane.policyFrom(),
                reset.session().value(),
                reset.at(),
                reset.reason().text(),
                reset.lastActivity(),
                happened,
                would));
    }

    /** Returns the policies as they stand in a configuration. */
    static String yaml(ResetPolicies policies) {
        StringBuilder yaml = new StringBuilder("session_reset:\n");
        put(yaml, "  ", policies.defaultPolicy());
        Map<String, ResetPolicy> types = new LinkedHashMap<>();
        TYPES.forEach(type ->
                Optional.ofNullable(policies.byType().get(type)).ifPresent(policy -> types.put(type.value(), policy)));
        section(yaml, "reset_by_type", types);
        Map<String, ResetPolicy> platforms = new LinkedHashMap<>();
        policies.byPlatform().entrySet().stream()
                .sorted(Comparator.comparing(each -> each.getKey().name()))
                .forEach(each ->
                        platforms.put(each.getKey().name(), each.getValue().policy()));
        section(yaml, "reset_by_platform", platforms);
        return yaml.toString();
    }

    private static void section(StringBuilder yaml, String name, Map<String, ResetPolicy> policies) {
        if (!policies.isEmpty()) {
            yaml.append(name).append(":\n");
            policies.forEach((key, policy) -> {
                yaml.append("  ").append(key).append(":\n");
                put(yaml, "    ", policy);
            });
        }
    }

    private static void put(StringBuilder yaml, String indent, ResetPolicy policy) {
        yaml.append(indent).append("mode: ").append(word(policy.mode())).append('\n');
        if (policy.mode().includesDaily()) {
            yaml.append(indent).append("at_hour: ").append(policy.atHour()).append('\n');
        }
        if (policy.mode().includesIdle()) {
            yaml.append(indent)
                    .append("idle_minutes: ")
                    .append(Math.max(1, policy.idle().toMinutes()))
                    .append('\n');
        }
    }
}
