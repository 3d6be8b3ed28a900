package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import dev.parley.domain.session.SessionId;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes sessions with their messages as JSON lines (storage 6). */
@Command(name = "export", description = "write sessions with their messages as JSON lines")
final class SessionsExportCommand implements Callable<Integer> {
    private static final Path STANDARD_OUTPUT = Path.of("-");

    private final SessionsCommand sessions;

    @Parameters(arity = "0..*", paramLabel = "ID", description = "the sessions; else all")
    private String @Nullable [] ids;

    @Option(names = "--source", paramLabel = "S", description = "only this source")
    private @Nullable String source;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "the file, for its owner only; - is standard output")
    private @Nullable Path file;

    SessionsExportCommand(SessionsCommand sessions) {
        this.sessions = sessions;
    }

    @Override
    public Integer call() {
        Workplace w = sessions.workplace();
        List<SessionId> wanted = Items.of(ids).stream().map(SessionId::of).toList();
        try (Storage storage = sessions.look()) {
            for (SessionId id : wanted) {
                if (storage.sessions().find(id).isEmpty()) {
                    return sessions.notFound(id);
                }
            }
            ExportFile export = new ExportFile(storage, w, Optional.ofNullable(source));
            AtomicInteger written = new AtomicInteger();
            Consumer<PrintStream> body = out -> written.set(export.write(out, wanted));
            Path target = file;
            if (target == null || target.equals(STANDARD_OUTPUT)) {
                body.accept(w.out());
            } else {
                new OutputFile(target).write(body);
            }
            w.note(written.get() + (written.get() == 1 ? " session" : " sessions") + " exported");
            boolean whole = !wanted.isEmpty()
                    || LeftOut.of(storage, Optional.ofNullable(source), w).isEmpty();
            return whole ? ExitCode.DONE.code() : ExitCode.NO.code();
        }
    }
}
