package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.replay.VirtualClock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is shown of long work. */
class ProgressTest {
    private static final Instant BEGIN = Instant.parse("2026-03-10T12:00:00Z");

    @TempDir
    Path home;

    private final VirtualClock clock = new VirtualClock(BEGIN);
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void workOfLessThanASecondShowsNothing() {
        try (Progress progress = new Progress(workplace(clock, true), "copying", 0)) {
            clock.move(Duration.ofMillis(999));
            progress.at(1, 2);
        }
        assertThat(shown()).isEmpty();
    }

    @Test
    void aBarShowsOnATerminalHowFarCountedWorkHasCome() {
        try (Progress progress = new Progress(workplace(clock, true), "copying", 0)) {
            clock.move(Duration.ofSeconds(2));
            progress.at(50, 200);
        }
        assertThat(shown())
                .isEqualTo("\rcopying [#######" + " ".repeat(23) + "] 50/200, 25/s, 0:06 left   "
                        + System.lineSeparator());
    }

    @Test
    void workWithoutACountShowsHowLongItHasTaken() {
        try (Progress progress = new Progress(workplace(clock, true), "giving space back", 0)) {
            clock.move(Duration.ofSeconds(75));
            progress.show();
        }
        assertThat(shown()).isEqualTo("\rgiving space back 1:15   " + System.lineSeparator());
    }

    @Test
    void elsewhereALineIsPrintedEveryFiveSeconds() {
        try (Progress progress = new Progress(workplace(clock, false), "opening", 0)) {
            for (int i = 0; i < 11; i++) {
                progress.show();
                clock.move(Duration.ofSeconds(1));
            }
        }
        assertThat(shown().lines()).containsExactly("opening 0:05", "opening 0:10");
    }

    @Test
    @DisplayName("work that says nothing itself, such as a VACUUM, is shown to go on")
    void workThatSaysNothingIsShownToGoOn() {
        CompletableFuture<String> told = new CompletableFuture<>();
        InstantSource hasty = () -> {
            clock.move(Duration.ofSeconds(3));
            return clock.instant();
        };
        ByteArrayOutputStream heard = new ByteArrayOutputStream() {
            @Override
            public synchronized void write(byte[] bytes, int from, int length) {
                super.write(bytes, from, length);
                told.complete(toString(StandardCharsets.UTF_8));
            }
        };
        PrintStream out = new PrintStream(heard, true, StandardCharsets.UTF_8);
        String line = Progress.during(
                workplace(hasty, false, out),
                "giving space back",
                () -> told.orTimeout(30, TimeUnit.SECONDS).join());
        assertThat(line).startsWith("giving space back 0:");
    }

    private Workplace workplace(InstantSource time, boolean terminal) {
        return workplace(time, terminal, new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private Workplace workplace(InstantSource time, boolean terminal, PrintStream errors) {
        return new Workplace(
                new Surroundings(
                        Map.of(),
                        home,
                        new ByteArrayInputStream(new byte[0]),
                        errors,
                        errors,
                        time,
                        ZoneOffset.UTC,
                        terminal),
                Optional.of(home),
                Optional.empty());
    }

    private String shown() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
