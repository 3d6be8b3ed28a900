package dev.parley.bootstrap.cli;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.SessionStatistics;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.application.spi.TranscriptFileReader;
import dev.parley.application.store.AutoMaintenance;
import dev.parley.application.store.StoredFamily;
import dev.parley.application.transfer.SessionImport;
import dev.parley.application.view.Rows;
import dev.parley.bootstrap.wiring.ProcessSurroundings;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.transcript.Conversation;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.StoredMessage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Looks at stored sessions and changes them (storage 3 to 6). */
@Command(name = "sessions", description = "list, show, search, title, end, delete, prune, export and import sessions")
final class SessionsCommand implements Callable<Integer> {
    private final ParleyCommand root;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--db",
            paramLabel = "FILE",
            scope = picocli.CommandLine.ScopeType.INHERIT,
            description = "open this state.db instead of the home's storage")
    private @Nullable Path database;

    SessionsCommand(ParleyCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        CommandSpec s = spec;
        if (s != null) {
            s.commandLine().usage(root.workplace().out());
        }
        return ExitCode.DONE.code();
    }

    Storage open(Mode mode) {
        return root.workplace().open(Optional.ofNullable(database), mode);
    }

    @Command(name = "list", description = "list sessions, newest first")
    int list(
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "20",
                            description = "at most N rows; negative: all")
                    int limit,
            @Option(
                            names = "--offset",
                            paramLabel = "N",
                            defaultValue = "0",
                            description = "leave out the first N rows")
                    int offset,
            @Option(names = "--source", paramLabel = "S", description = "only this source") @Nullable String source,
            @Option(names = "--exclude", paramLabel = "S,S", split = ",", description = "not these sources")
                    String @Nullable [] exclude,
            @Option(names = "--children", description = "show delegates and continuations as rows of their own")
                    boolean children,
            @Option(names = "--raw", description = "show a compressed chain's root as it is stored") boolean raw,
            @Option(
                            names = "--sort",
                            paramLabel = "started|active",
                            defaultValue = "started",
                            description = "newest start or latest activity first")
                    String sort,
            @Option(names = "--json", description = "print JSON") boolean json) {
        SessionQuery query = SessionQuery.usual()
                .window(limit, notNegative("--offset", offset))
                .sources(Optional.ofNullable(source), Set.copyOf(items(exclude)))
                .shape(children, !raw)
                .ordered(order(sort));
        try (Storage storage = open(Mode.READ_ONLY)) {
            List<SessionListing> rows = storage.sessions().list(query);
            if (json) {
                root.workplace().json(rows.stream().map(Rows::listing).toList());
            } else {
                Table table = new Table("ID", "SOURCE", "STARTED", "MESSAGES", "TITLE", "PREVIEW");
                rows.forEach(r -> table.row(
                        r.session().id().value(),
                        r.session().source(),
                        when(r.session().startedAt()),
                        Long.toString(r.session().messageCount()),
                        r.session().title().orElse(""),
                        r.preview()));
                table.print(root.workplace().out());
            }
        }
        return ExitCode.DONE.code();
    }

    private String when(java.time.Instant instant) {
        return java.time.format.DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm")
                .format(instant.atZone(root.workplace().configuration().zone()));
    }

    private static SessionQuery.Order order(String sort) {
        return switch (sort.toLowerCase(Locale.ROOT)) {
            case "started" -> SessionQuery.Order.STARTED;
            case "active" -> SessionQuery.Order.LAST_ACTIVE;
            default -> throw new InvalidRequest("--sort is \"" + sort + "\"; say started or active.");
        };
    }

    @Command(name = "show", description = "show a session with its messages, or one session file")
    int show(
            @Parameters(arity = "0..1", paramLabel = "ID", description = "the session") @Nullable String id,
            @Option(names = "--conversation", description = "the messages as they are replayed to an agent")
                    boolean conversation,
            @Option(names = "--ancestors", description = "with those of the sessions it continues") boolean ancestors,
            @Option(names = "--file", paramLabel = "FILE", description = "one JSON Lines session file instead")
                    @Nullable
                    Path file,
            @Option(names = "--json", description = "print JSON") boolean json) {
        if ((id == null) == (file == null)) {
            throw new InvalidRequest("Name a session, or a file with --file.");
        }
        if (file != null) {
            return showFile(file, json);
        }
        SessionId session = sessionId(id == null ? "" : id);
        try (Storage storage = open(Mode.READ_ONLY)) {
            Optional<Session> found = storage.sessions().find(session);
            if (found.isEmpty()) {
                return notFound(session);
            }
            if (conversation || ancestors) {
                List<Message> messages = ancestors
                        ? Conversation.withAncestors(storage.transcripts().load(chain(storage, session)))
                        : Conversation.of(storage.transcripts().load(session));
                printMessages(messages, json);
            } else {
                List<StoredMessage> messages = storage.transcripts().load(session);
                if (json) {
                    root.workplace().json(Rows.export(found.get(), messages));
                } else {
                    printSession(found.get());
                    printMessages(messages.stream().map(StoredMessage::message).toList(), false);
                }
            }
        }
        return ExitCode.DONE.code();
    }

    private static List<SessionId> chain(Storage storage, SessionId session) {
        return dev.parley.domain.session.Lineage.ancestors(
                session, new StoredFamily(storage.sessions(), storage.transcripts()));
    }

    private void printSession(Session s) {
        PrintStream out = root.workplace().out();
        out.println(s.id() + "  " + s.source()
                + s.title().map(t -> "  \"" + t + "\"").orElse(""));
        out.println("started " + when(s.startedAt())
                + s.ending()
                        .map(e -> ", ended " + when(e.at())
                                + e.reason().map(r -> " (" + r + ")").orElse(""))
                        .orElse(", live"));
        out.println();
    }

    private void printMessages(List<Message> messages, boolean json) {
        if (json) {
            root.workplace().json(messages.stream().map(Rows::replayed).toList());
            return;
        }
        for (Message m : messages) {
            root.workplace()
                    .out()
                    .println(m.role().name() + m.toolName().map(t -> " " + t).orElse("") + ": "
                            + m.content().plainText()
                            + m.toolCalls()
                                    .map(c -> " [" + c.count() + " tool call" + (c.count() == 1 ? "" : "s") + "]")
                                    .orElse(""));
        }
    }

    private int showFile(Path file, boolean json) {
        TranscriptFileReader reader = root.workplace()
                .providers()
                .transcriptFiles()
                .orElseThrow(() -> new InvalidRequest("This build cannot read single session files."));
        TranscriptFileReader.TranscriptFile read = reader.read(file);
        if (!json) {
            printMessages(read.context(), false);
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
        row.put("context", read.context().stream().map(Rows::fileMessage).toList());
        row.put("archived", read.archived());
        row.put("skipped", skipped);
        root.workplace().json(row);
        return ExitCode.DONE.code();
    }

    @Command(name = "search", description = "find messages")
    int search(
            @Parameters(paramLabel = "QUERY", description = "words, \"phrases\", prefix*, AND, OR, NOT") String query,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "20",
                            description = "at most N rows; negative: all")
                    int limit,
            @Option(
                            names = "--offset",
                            paramLabel = "N",
                            defaultValue = "0",
                            description = "leave out the first N rows")
                    int offset,
            @Option(names = "--source", paramLabel = "S,S", split = ",", description = "only these sources")
                    String @Nullable [] sources,
            @Option(names = "--exclude", paramLabel = "S,S", split = ",", description = "not these sources")
                    String @Nullable [] exclude,
            @Option(names = "--role", paramLabel = "R,R", split = ",", description = "only these roles")
                    String @Nullable [] roles,
            @Option(names = "--sort", paramLabel = "newest|oldest", description = "by time instead of by match")
                    @Nullable
                    String sort,
            @Option(names = "--json", description = "print JSON") boolean json) {
        SearchQuery wanted = new SearchQuery(
                query,
                sources == null ? Optional.empty() : Optional.of(items(sources)),
                items(exclude),
                items(roles),
                limit,
                notNegative("--offset", offset),
                sort(sort),
                Viewer.operator());
        try (Storage storage = open(Mode.READ_ONLY)) {
            List<SearchHit> hits = storage.search().search(wanted);
            if (json) {
                root.workplace().json(hits.stream().map(Rows::hit).toList());
            } else {
                Table table = new Table("SESSION", "ROLE", "WHEN", "MATCH");
                hits.forEach(h -> table.row(
                        h.session().value(),
                        h.role().name(),
                        when(h.at()),
                        h.snippet().orElse("").strip().replaceAll("\\s+", " ")));
                table.print(root.workplace().out());
            }
        }
        return ExitCode.DONE.code();
    }

    /** Anything but newest and oldest is the order by match (storage 5.1). */
    private static Optional<SearchQuery.Sort> sort(@Nullable String sort) {
        String word = sort == null ? "" : sort.strip().toLowerCase(Locale.ROOT);
        return switch (word) {
            case "newest" -> Optional.of(SearchQuery.Sort.NEWEST);
            case "oldest" -> Optional.of(SearchQuery.Sort.OLDEST);
            default -> Optional.empty();
        };
    }

    @Command(name = "resolve", description = "say which sessions a name stands for")
    int resolve(
            @Parameters(paramLabel = "NAME", description = "an id, the beginning of one, or a title") String name,
            @Option(names = "--json", description = "print JSON") boolean json) {
        try (Storage storage = open(Mode.READ_ONLY)) {
            Map<String, @Nullable Object> row = SessionNames.resolve(storage, name);
            if (json) {
                root.workplace().json(row);
            } else {
                row.forEach((key, value) -> root.workplace().out().println(key + ": " + (value == null ? "-" : value)));
            }
        }
        return ExitCode.DONE.code();
    }

    @Command(name = "stats", description = "totals, and per model")
    int stats(@Option(names = "--json", description = "print JSON") boolean json) {
        try (Storage storage = open(Mode.READ_ONLY)) {
            SessionStatistics statistics = storage.sessions().statistics();
            if (json) {
                root.workplace().json(Rows.statistics(statistics));
            } else {
                root.workplace()
                        .out()
                        .println(statistics.sessions() + " sessions, " + statistics.messages() + " messages, "
                                + statistics.tokens().total() + " tokens");
                Table table = new Table("MODEL", "SESSIONS", "INPUT", "OUTPUT", "COST USD");
                statistics
                        .models()
                        .forEach(m -> table.row(
                                m.model(),
                                Long.toString(m.sessions()),
                                Long.toString(m.tokens().input()),
                                Long.toString(m.tokens().output()),
                                m.estimatedCostUsd()
                                        .map(c -> String.format(Locale.ROOT, "%.4f", c))
                                        .orElse("-")));
                table.print(root.workplace().out());
            }
        }
        return ExitCode.DONE.code();
    }

    @Command(name = "title", description = "show or set a session's title")
    int title(
            @Parameters(index = "0", paramLabel = "ID", description = "the session") String id,
            @Parameters(
                            index = "1",
                            arity = "0..1",
                            paramLabel = "TEXT",
                            description = "the new title; empty removes it")
                    @Nullable
                    String text) {
        SessionId session = sessionId(id);
        if (text == null) {
            try (Storage storage = open(Mode.READ_ONLY)) {
                Optional<Session> found = storage.sessions().find(session);
                if (found.isEmpty()) {
                    return notFound(session);
                }
                root.workplace().out().println(found.get().title().orElse(""));
                return ExitCode.DONE.code();
            }
        }
        return edit(edits -> edits.title(session, text));
    }

    @Command(name = "end", description = "end a session")
    int end(
            @Parameters(index = "0", paramLabel = "ID", description = "the session") String id,
            @Parameters(index = "1", paramLabel = "REASON", description = "why") String reason) {
        SessionId session = sessionId(id);
        return edit(edits -> edits.end(session, reason));
    }

    @Command(name = "reopen", description = "make an ended session live again")
    int reopen(@Parameters(paramLabel = "ID", description = "the session") String id) {
        SessionId session = sessionId(id);
        return edit(edits -> edits.reopen(session));
    }

    @Command(name = "delete", description = "delete a session with its messages")
    int delete(
            @Parameters(paramLabel = "ID", description = "the session") String id,
            @Option(names = "--yes", description = "do not ask") boolean yes) {
        SessionId session = sessionId(id);
        root.workplace().confirm("Delete the session " + session + " with all its messages?", yes);
        return edit(edits -> edits.delete(session));
    }

    @Command(name = "prune", description = "delete ended sessions that began long ago")
    int prune(
            @Option(
                            names = "--older-than",
                            required = true,
                            paramLabel = "DAYS",
                            description = "begun more than DAYS ago")
                    double days,
            @Option(names = "--source", paramLabel = "S", description = "only this source") @Nullable String source,
            @Option(
                            names = "--every",
                            paramLabel = "HOURS",
                            description = "only where that was not done for HOURS; gives the space back as well")
                    @Nullable
                    Double hours,
            @Option(names = "--dry-run", description = "only say which") boolean dryRun,
            @Option(names = "--yes", description = "do not ask") boolean yes) {
        if (!(days >= 0) || days > 1_000_000) {
            throw new InvalidRequest("--older-than is " + days + "; say a number of days of at least 0.");
        }
        Optional<String> only = Optional.ofNullable(source).filter(s -> !s.isEmpty());
        if (hours != null) {
            return pruneWhereDue(days, hours, dryRun || only.isPresent(), yes);
        }
        if (!dryRun) {
            return edit(edits -> edits.prune(days, only, yes));
        }
        try (Storage storage = open(Mode.READ_ONLY)) {
            return new SessionEdits(storage, root.workplace()).wouldPrune(days, only);
        }
    }

    private int pruneWhereDue(double days, double hours, boolean limited, boolean yes) {
        if (limited) {
            throw new InvalidRequest(
                    "--every takes sessions of all sources and deletes them; leave --source and --dry-run out.");
        }
        if (!(hours >= 0) || hours > 1_000_000) {
            throw new InvalidRequest("--every is " + hours + "; say a number of hours of at least 0.");
        }
        root.workplace().confirm("Delete the ended sessions begun more than " + days + " days ago?", yes);
        return edit(edits -> edits.maintain(new AutoMaintenance.Settings(
                Duration.ofMillis(Math.round(days * 86_400_000d)),
                Duration.ofMillis(Math.round(hours * 3_600_000d)),
                true)));
    }

    @Command(name = "export", description = "write sessions with their messages as JSON lines")
    int export(
            @Parameters(arity = "0..*", paramLabel = "ID", description = "the sessions; else all")
                    String @Nullable [] ids,
            @Option(names = "--source", paramLabel = "S", description = "only this source") @Nullable String source,
            @Option(
                            names = {"-o", "--output"},
                            paramLabel = "FILE",
                            description = "the file; - is standard output")
                    @Nullable
                    Path file)
            throws IOException {
        List<SessionId> wanted =
                items(ids).stream().map(SessionsCommand::sessionId).toList();
        try (Storage storage = open(Mode.READ_ONLY)) {
            for (SessionId id : wanted) {
                if (storage.sessions().find(id).isEmpty()) {
                    return notFound(id);
                }
            }
            boolean toFile = file != null && !file.toString().equals("-");
            if (!toFile) {
                return new ExportFile(storage, root.workplace())
                        .write(root.workplace().out(), wanted, source);
            }
            exportTo(java.util.Objects.requireNonNull(file), new ExportFile(storage, root.workplace()), wanted, source);
            return ExitCode.DONE.code();
        }
    }

    /** Puts the file in place once it is whole; where it cannot be written, what was there before stays. */
    private static void exportTo(Path target, ExportFile export, List<SessionId> wanted, @Nullable String source)
            throws IOException {
        if (Files.isDirectory(target)) {
            throw new InvalidRequest("The export " + target + " is a directory; name a file with -o.");
        }
        Path temporary = target.resolveSibling(target.getFileName() + ".part");
        try {
            try (PrintStream out = new PrintStream(Files.newOutputStream(temporary), false, StandardCharsets.UTF_8)) {
                export.write(out, wanted, source);
                if (out.checkError()) {
                    throw new StorageUnavailable(
                            "The export " + target + " cannot be written; check the disk's free space.", null);
                }
            }
            Files.move(temporary, target, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new InvalidRequest("The export " + target + " cannot be written ("
                    + e.getClass().getSimpleName() + "); name another file with -o.");
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    @Command(
            name = "import",
            description = "add exported sessions; all of them, or none where anything is wrong",
            footer = {
                "",
                "Sessions that are there already stay as they are; a title that is taken gets the next number."
            })
    int importSessions(
            @Parameters(paramLabel = "FILE", description = "the JSON lines of an export; - is standard input")
                    String file,
            @Option(names = "--max-sessions", paramLabel = "N", description = "refuse more sessions than this")
                    @Nullable
                    Integer maxSessions,
            @Option(names = "--max-messages", paramLabel = "N", description = "refuse more messages in all than this")
                    @Nullable
                    Integer maxMessages,
            @Option(names = "--json", description = "print JSON") boolean json)
            throws IOException {
        ImportFile lines = new ImportFile(root.workplace().around().clock().instant());
        try (BufferedReader in = reader(file)) {
            int number = 0;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                number++;
                lines.read(number, line);
            }
        } catch (CharacterCodingException e) {
            throw new InvalidRequest(file + " is not UTF-8 text; nothing was imported.");
        }
        if (!lines.problems().isEmpty()) {
            lines.problems().forEach(p -> root.workplace().note("parley: " + file + ": " + p));
            root.workplace().note("parley: nothing was imported; correct the file.");
            return ExitCode.USAGE.code();
        }
        SessionImport.Limits none = SessionImport.Limits.NONE;
        SessionImport.Limits limits = new SessionImport.Limits(
                Optional.ofNullable(maxSessions).orElse(none.sessions()),
                none.messagesEach(),
                Optional.ofNullable(maxMessages).orElse(none.messages()),
                none.bytesEach(),
                none.bytes());
        try (Storage storage = open(Mode.READ_WRITE)) {
            SessionImport.Outcome outcome =
                    new SessionImport(storage, ProcessSurroundings.ids(), limits).add(lines.items());
            if (outcome instanceof SessionImport.Outcome.Refused refused) {
                refused.problems()
                        .forEach(p -> root.workplace()
                                .note("parley: " + file + ": "
                                        + p.session()
                                                .map(id -> "session " + id + ": ")
                                                .orElse("") + p.error()));
                return ExitCode.USAGE.code();
            }
            report((SessionImport.Outcome.Done) outcome, json);
        }
        return ExitCode.DONE.code();
    }

    private BufferedReader reader(String file) {
        try {
            InputStream in = file.equals("-") ? root.workplace().around().in() : Files.newInputStream(Path.of(file));
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()));
        } catch (IOException e) {
            throw new InvalidRequest("The file " + file + " cannot be read ("
                    + e.getClass().getSimpleName() + "); check its name and its permissions.");
        }
    }

    private void report(SessionImport.Outcome.Done done, boolean json) {
        if (json) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("imported", done.imported());
            row.put("messages", done.messages());
            row.put("skipped", done.skipped());
            row.put("detached", done.detached());
            row.put("renamed", done.renamed());
            root.workplace().json(row);
        } else {
            root.workplace()
                    .out()
                    .println(done.imported() + " sessions with " + done.messages() + " messages imported, "
                            + done.skipped() + " were there already");
        }
    }

    /** A file that is not there has no session to change, so none is made for it. */
    private int edit(java.util.function.Function<SessionEdits, Integer> what) {
        try (Storage storage = root.workplace().openExisting(Optional.ofNullable(database), Mode.READ_WRITE)) {
            return what.apply(new SessionEdits(storage, root.workplace()));
        }
    }

    private int notFound(SessionId id) {
        root.workplace().note("parley: there is no session " + id + "; see `parley sessions list --children`.");
        return ExitCode.NO.code();
    }

    static SessionId sessionId(String text) {
        return SessionId.of(text);
    }

    private static int notNegative(String option, int value) {
        if (value < 0) {
            throw new InvalidRequest(option + " is " + value + "; say a number of at least 0.");
        }
        return value;
    }

    /** The items of a comma-separated option, blank ones left out, so that an empty text is an empty list. */
    private static List<String> items(String @Nullable [] values) {
        return values == null
                ? List.of()
                : List.copyOf(new LinkedHashSet<>(Arrays.stream(values)
                        .map(String::strip)
                        .filter(v -> !v.isEmpty())
                        .toList()));
    }
}
