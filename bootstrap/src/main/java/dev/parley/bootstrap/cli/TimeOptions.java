package dev.parley.bootstrap.cli;

import dev.parley.application.view.TimeSpan;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that choose a span of time. */
final class TimeOptions {
    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "only from then on: a day such as 2026-11-20, or a time such as 2026-11-20T14:30")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "only before then; a day belongs to the span")
    private @Nullable String to;

    /** Returns the span, in the zone of the gateway where it does not say another. */
    TimeSpan span(Workplace workplace) {
        return TimeSpan.of(
                "--from",
                Optional.ofNullable(from),
                "--to",
                Optional.ofNullable(to),
                workplace.configuration().zone());
    }
}
