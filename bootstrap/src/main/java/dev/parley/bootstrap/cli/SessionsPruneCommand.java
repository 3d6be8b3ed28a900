package dev.parley.bootstrap.cli;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.Storage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Deletes ended sessions that began long ago (storage 3.8). */
@Command(name = "prune", description = "delete ended sessions that began long ago")
final class SessionsPruneCommand implements Callable<Integer> {
    private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000);

    private final SessionsCommand sessions;

    @Option(names = "--older-than", required = true, paramLabel = "DAYS", description = "begun more than DAYS ago")
    private BigDecimal days = BigDecimal.ZERO;

    @Option(names = "--source", paramLabel = "S", description = "only this source")
    private @Nullable String source;

    @Option(
            names = "--every",
            paramLabel = "HOURS",
            description = "only where that was not done for HOURS; gives the space back as well")
    private @Nullable BigDecimal hours;

    @Option(names = "--dry-run", description = "only say which")
    private boolean dryRun;

    @Mixin
    private final YesOption yes = new YesOption();

    SessionsPruneCommand(SessionsCommand sessions) {
        this.sessions = sessions;
    }

    @Override
    public Integer call() {
        Duration age = Duration.ofMillis(Math.round(checked("--older-than", days, "days") * 86_400_000d));
        Optional<String> only = Optional.ofNullable(source).filter(s -> !s.isEmpty());
        BigDecimal every = hours;
        if (every != null) {
            return pruneWhereDue(age, every, dryRun || only.isPresent());
        }
        if (!dryRun) {
            return sessions.edit(edits -> edits.prune(age, only, yes.isSaid()));
        }
        try (Storage storage = sessions.look()) {
            return new SessionChanges(storage, sessions.workplace()).wouldPrune(age, only);
        }
    }

    private int pruneWhereDue(Duration age, BigDecimal every, boolean limited) {
        if (limited) {
            throw new InvalidRequest(
                    "--every takes sessions of all sources and deletes them; leave --source and --dry-run out.");
        }
        Duration interval = Duration.ofMillis(Math.round(checked("--every", every, "hours") * 3_600_000d));
        sessions.workplace().confirm("Delete the ended sessions begun more than " + days + " days ago?", yes.isSaid());
        return sessions.edit(edits -> edits.maintain(age, interval));
    }

    private static double checked(String option, BigDecimal value, String unit) {
        if (value.signum() < 0 || value.compareTo(MOST) > 0) {
            throw new InvalidRequest(
                    option + " is " + value + "; say a number of " + unit + " from 0 to " + MOST + ".");
        }
        return value.doubleValue();
    }
}
