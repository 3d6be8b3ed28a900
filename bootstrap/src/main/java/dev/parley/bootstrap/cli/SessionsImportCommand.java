package dev.parley.bootstrap.cli;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.Storage;
import dev.parley.application.transfer.SessionImport;
import dev.parley.application.transfer.SteppedImport;
import dev.parley.bootstrap.wiring.ProcessSurroundings;
import dev.parley.home.HomeDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Adds exported sessions (storage 6). */
@Command(
        name = "import",
        description = "add exported sessions; all of them, or none where anything is wrong",
        footer = {
            "",
            "Sessions that are there already stay as they are; a title that is taken gets the next number.",
            "More than 5,000 sessions, 50,000 messages or 25 MiB are stored in steps; interrupted, the same command adds "
                    + "the rest."
        })
final class SessionsImportCommand implements Callable<Integer> {
    private static final String STANDARD_INPUT = "-";

    private final SessionsCommand sessions;

    @Parameters(paramLabel = "FILE", description = "the JSON lines of an export; - is standard input")
    private String file = STANDARD_INPUT;

    @Option(names = "--max-sessions", paramLabel = "N", description = "refuse more sessions than this")
    private @Nullable Integer maxSessions;

    @Option(names = "--max-messages", paramLabel = "N", description = "refuse more messages in all than this")
    private @Nullable Integer maxMessages;

    @Mixin
    private final JsonOption json = new JsonOption();

    SessionsImportCommand(SessionsCommand sessions) {
        this.sessions = sessions;
    }

    @Override
    public Integer call() {
        if (!file.equals(STANDARD_INPUT) && Files.isDirectory(Path.of(file))) {
            throw new InvalidRequest(file + " is a directory; name the file of an export.");
        }
        try (ImportLines lines = lines()) {
            return add(lines);
        } catch (CharacterCodingException e) {
            throw new InvalidRequest(file + " is not UTF-8 text; nothing was imported.");
        } catch (IOException e) {
            throw new InvalidRequest("The file " + file + " cannot be read (" + HomeDirectory.reason(e)
                    + "); check its name and its permissions.");
        }
    }

    private ImportLines lines() throws IOException {
        return file.equals(STANDARD_INPUT)
                ? ImportLines.of(sessions.workplace().around().in())
                : ImportLines.of(Path.of(file));
    }

    private int add(ImportLines lines) throws IOException {
        Workplace w = sessions.workplace();
        ImportFile read = new ImportFile(w.around().clock().instant(), ImportFile.HELD);
        try (Progress progress = Progress.of(w, "reading", lines.size())) {
            long size = lines.size();
            lines.forEach((line, text) -> {
                read.read(line, text);
                progress.at(line.from(), size);
            });
        }
        if (!read.problems().isEmpty()) {
            read.problems().forEach(p -> w.note("parley: " + file + ": " + p));
            w.note("parley: nothing was imported; correct the file.");
            return ExitCode.USAGE.code();
        }
        try (Storage storage = sessions.add()) {
            SessionImport.Outcome outcome = read.isHeld()
                    ? new SessionImport(storage, ProcessSurroundings.ids(), limits()).add(read.items())
                    : addInSteps(storage, read, lines);
            if (outcome instanceof SessionImport.Outcome.Refused refused) {
                refused.problems()
                        .forEach(p -> w.note("parley: " + file + ": "
                                + p.session().map(id -> "session " + id + ": ").orElse("") + p.error()));
                return ExitCode.USAGE.code();
            }
            report((SessionImport.Outcome.Done) outcome);
        }
        return ExitCode.DONE.code();
    }

    private SessionImport.Limits limits() {
        SessionImport.Limits none = SessionImport.Limits.NONE;
        return new SessionImport.Limits(
                Optional.ofNullable(maxSessions).orElse(none.sessions()),
                none.messagesEach(),
                Optional.ofNullable(maxMessages).orElse(none.messages()),
                none.bytesEach(),
                none.bytes());
    }

    private SessionImport.Outcome addInSteps(Storage storage, ImportFile read, ImportLines lines) throws IOException {
        SteppedImport stepped =
                new SteppedImport(storage, new SpacedLedger(storage.ledger()), ProcessSurroundings.ids(), limits());
        try (Progress progress = Progress.of(sessions.workplace(), "importing", 0)) {
            return stepped.add(
                    read.outlines(),
                    place -> {
                        try {
                            return read.readAgain(place, lines);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    },
                    progress::at);
        } catch (UncheckedIOException e) {
            throw new InvalidRequest("The file " + file + " cannot be read any more; import it again to add the rest.");
        }
    }

    private void report(SessionImport.Outcome.Done done) {
        Workplace w = sessions.workplace();
        if (json.isWanted()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("imported", done.imported());
            row.put("messages", done.messages());
            row.put("skipped", done.skipped());
            row.put("detached", done.detached());
            row.put("renamed", done.renamed());
            w.json(row);
        } else {
            w.out()
                    .println(done.imported() + " sessions with " + done.messages() + " messages imported, "
                            + done.skipped() + " were there already");
        }
    }
}
