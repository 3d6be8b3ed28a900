package dev.parley.bootstrap.cli;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.TranscriptFileReader;
import dev.parley.application.store.StoredFamily;
import dev.parley.application.view.PlainRows;
import dev.parley.domain.session.Lineage;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Conversation;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.StoredMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one session with its messages, or one session file. */
@Command(name = "show", description = "show a session with its messages, or one session file")
final class SessionsShowCommand implements Callable<Integer> {
    private final SessionsCommand sessions;

    @Parameters(arity = "0..1", paramLabel = "ID", description = "the session")
    private @Nullable String id;

    @Option(names = "--conversation", description = "the messages as they are replayed to an agent")
    private boolean conversation;

    @Option(names = "--ancestors", description = "with those of the sessions it continues")
    private boolean ancestors;

    @Option(names = "--around", paramLabel = "N", description = "only the messages around the one of this number")
    private @Nullable Long around;

    @Option(
            names = "--before",
            paramLabel = "N",
            defaultValue = "5",
            description = "so many before it (default: ${DEFAULT-VALUE})")
    private int before;

    @Option(
            names = "--after",
            paramLabel = "N",
            defaultValue = "5",
            description = "so many after it (default: ${DEFAULT-VALUE})")
    private int after;

    @Option(names = "--file", paramLabel = "FILE", description = "one JSON Lines session file instead")
    private @Nullable Path file;

    @Mixin
    private final JsonOption json = new JsonOption();

    SessionsShowCommand(SessionsCommand sessions) {
        this.sessions = sessions;
    }

    @Override
    public Integer call() {
        String named = id;
        Path read = file;
        if (around != null && (conversation || ancestors || read != null)) {
            throw new InvalidRequest("--around shows messages as they are stored; say it without --conversation,"
                    + " --ancestors and --file.");
        }
        if (before < 0 || after < 0) {
            throw new InvalidRequest("--before and --after are numbers of messages, so neither is below 0.");
        }
        if (named != null && read == null) {
            return show(SessionId.of(named));
        }
        if (read != null && named == null) {
            return showFile(read);
        }
        throw new InvalidRequest("Name a session, or a file with --file.");
    }

    private int show(SessionId session) {
        Workplace w = sessions.workplace();
        try (Storage storage = sessions.look()) {
            Optional<Session> found = storage.sessions().find(session);
            if (found.isEmpty()) {
                return sessions.notFound(session);
            }
            Long middle = around;
            if (middle != null) {
                return showAround(storage, session, middle);
            }
            if (conversation || ancestors) {
                print(messages(storage, session));
                return ExitCode.DONE.code();
            }
            List<StoredMessage> messages = storage.transcripts().load(session);
            if (json.isWanted()) {
                w.json(PlainRows.export(found.get(), messages));
            } else {
                printHead(found.get());
                messages.forEach(each -> w.out().println(line(each.message())));
            }
        }
        return ExitCode.DONE.code();
    }

    private int showAround(Storage storage, SessionId session, long middle) {
        Workplace w = sessions.workplace();
        List<StoredMessage> messages = storage.transcripts().around(session, middle, before, after);
        if (messages.isEmpty()) {
            w.note("parley: the session " + session + " has no message " + middle + "; see `parley sessions show "
                    + session + " --json`.");
            return ExitCode.NO.code();
        }
        if (json.isWanted()) {
            w.json(messages.stream().map(PlainRows::message).toList());
        } else {
            messages.forEach(each -> w.out().println(line(each.message())));
        }
        return ExitCode.DONE.code();
    }

    private List<Message> messages(Storage storage, SessionId session) {
        return ancestors
                ? Conversation.withAncestors(storage.transcripts()
                        .load(Lineage.ancestors(session, new StoredFamily(storage.sessions(), storage.transcripts()))))
                : Conversation.of(storage.transcripts().load(session));
    }

    private void printHead(Session s) {
        Workplace w = sessions.workplace();
        w.out()
                .println(s.id() + "  " + s.source()
                        + s.title().map(t -> "  \"" + t + "\"").orElse(""));
        w.out()
                .println("started " + w.when(s.startedAt())
                        + s.ending()
                                .map(e -> ", ended " + w.when(e.at())
                                        + e.reason().map(r -> " (" + r + ")").orElse(""))
                                .orElse(", live"));
        w.out().println();
    }

    private void print(List<Message> messages) {
        Workplace w = sessions.workplace();
        if (json.isWanted()) {
            w.json(messages.stream().map(PlainRows::replayed).toList());
        } else {
            messages.forEach(each -> w.out().println(line(each)));
        }
    }

    private static String line(Message m) {
        return m.role().name() + m.toolName().map(t -> " " + t).orElse("") + ": "
                + m.content().plainText()
                + m.toolCalls()
                        .map(c -> " [" + c.count() + " tool call" + (c.count() == 1 ? "" : "s") + "]")
                        .orElse("");
    }

    private int showFile(Path path) {
        Workplace w = sessions.workplace();
        if (Files.notExists(path)) {
            throw new InvalidRequest("The file " + path + " does not exist; check the path.");
        }
        TranscriptFileReader reader = w.providers()
                .transcriptFiles()
                .orElseThrow(() -> new InvalidRequest("This build cannot read single session files."));
        TranscriptFileReader.TranscriptFile read = reader.read(path);
        if (!json.isWanted()) {
            print(read.context());
            return ExitCode.DONE.code();
        }
        Map<String, @Nullable Object> meta = new LinkedHashMap<>();
        meta.put("agent", read.meta().agent());
        meta.put("created_by", read.meta().createdBy());
        meta.put("created_at", read.meta().createdAt().orElse(null));
        meta.put("title", read.meta().title());
        meta.put("uptime_secs", read.meta().uptimeSecs());
        List<Map<String, Object>> skipped = new ArrayList<>();
        for (TranscriptFileReader.SkippedLine line : read.skipped()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("line", line.line());
            row.put("why", line.why());
            skipped.add(row);
        }
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("meta", meta);
        row.put("meta_missing", read.metaMissing());
        row.put("context", read.context().stream().map(PlainRows::fileMessage).toList());
        row.put("archived", read.archived());
        row.put("skipped", skipped);
        w.json(row);
        return ExitCode.DONE.code();
    }
}
