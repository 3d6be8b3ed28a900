package dev.parley.bootstrap.cli;

import dev.parley.application.port.InvalidRequest;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.domain.reset.ResetMode;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says which sessions another reset policy would have ended, when and why, against what happened. */
@Command(
        name = "what-if",
        description =
                "say which sessions another reset policy would have ended, and when and why, against what happened",
        footer = {
            "",
            "The policy is that of a configuration (--policy), or the configured one with --mode, --at-hour or --idle-minutes "
                    + "changed: for all lanes, or with --type or --platform for some. Nothing is written."
        })
final class LanesWhatIfCommand implements Callable<Integer> {
    private static final int MINUTES_MOST = 10 * 366 * 24 * 60;

    private final LanesCommand lanes;

    @Option(names = "--policy", paramLabel = "NEW.yaml", description = "a configuration with the other policy")
    private @Nullable Path policy;

    @Option(names = "--mode", paramLabel = "none|idle|daily|both", description = "what ends a session")
    private @Nullable ResetMode mode;

    @Option(names = "--at-hour", paramLabel = "HOUR", description = "the hour of the daily boundary, 0 to 23")
    private @Nullable Integer hour;

    @Option(names = "--idle-minutes", paramLabel = "N", description = "how long a session may be inactive")
    private @Nullable Integer idle;

    @Option(names = "--type", paramLabel = "TYPE", description = "only for chats of this type, such as dm or group")
    private @Nullable String type;

    @Option(names = "--platform", paramLabel = "NAME", description = "only for lanes of this platform")
    private @Nullable String platform;

    @Option(
            names = "--since",
            paramLabel = "PERIOD",
            defaultValue = "30d",
            description = "how far back to look, such as 30d (the default), 12h or 2w")
    private String since = "30d";

    @Mixin
    private final JsonOption json = new JsonOption();

    LanesWhatIfCommand(LanesCommand lanes) {
        this.lanes = lanes;
    }

    @Override
    public Integer call() {
        Duration past = PolicyReport.period(since);
        PolicyReport report = new PolicyReport(lanes.workplace(), Optional.empty());
        report.print(policies(report), past, json.isWanted());
        return ExitCode.DONE.code();
    }

    private PolicyReport.Policies policies(PolicyReport report) {
        boolean changed = mode != null || hour != null || idle != null;
        if (policy != null) {
            if (changed || type != null || platform != null) {
                throw new InvalidRequest("Give either --policy, or --mode, --at-hour and --idle-minutes.");
            }
            return report.read(policy);
        }
        if (!changed) {
            throw new InvalidRequest("Say which policy: --policy NEW.yaml, or --mode, --at-hour or --idle-minutes.");
        }
        if (type != null && platform != null) {
            throw new InvalidRequest(
                    "Give either --type or --platform: the policy of a platform goes before that of a type.");
        }
        Configuration own = lanes.workplace().configuration();
        return new PolicyReport.Policies(changed(own.resets()), own.zone());
    }

    private ResetPolicies changed(ResetPolicies own) {
        if (platform != null) {
            Platform which = lanes.workplace()
                    .providers()
                    .platformNames()
                    .find(platform)
                    .orElseThrow(() -> new InvalidRequest("--platform is empty; name one such as telegram."));
            ResetPolicy now = Optional.ofNullable(own.byPlatform().get(which))
                    .map(applied -> applied.policy())
                    .orElse(own.defaultPolicy());
            return own.withPlatform(which, changed(now));
        }
        if (type != null) {
            ChatType which = ChatType.of(type);
            return own.withType(which, changed(own.byType().getOrDefault(which, own.defaultPolicy())));
        }
        return new ResetPolicies(changed(own.defaultPolicy()), Map.of(), Map.of());
    }

    private ResetPolicy changed(ResetPolicy now) {
        ResetPolicy changed = mode == null ? now : now.withMode(mode);
        if (hour != null) {
            if (hour < 0 || hour > 23) {
                throw new InvalidRequest("--at-hour is " + hour + "; say an hour from 0 to 23.");
            }
            changed = changed.withAtHour(hour);
        }
        if (idle != null) {
            if (idle < 1 || idle > MINUTES_MOST) {
                throw new InvalidRequest(
                        "--idle-minutes is " + idle + "; say a number from 1 to " + MINUTES_MOST + ".");
            }
            changed = changed.withIdle(Duration.ofMinutes(idle));
        }
        return changed;
    }
}
