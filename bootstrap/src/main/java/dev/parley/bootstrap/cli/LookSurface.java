package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.WebRequest;
import dev.parley.application.spi.WebResponse;
import dev.parley.application.spi.WebRole;
import dev.parley.application.spi.WebSurface;
import dev.parley.bootstrap.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Runs commands that look into the storage inside the gateway, for homes whose storage nobody can open beside it, and answers what they
 * print and how they end.
 */
final class LookSurface implements WebSurface {
    static final String PATH = "/v1/look";
    static final String ARGUMENT = "argument";

    /** Commands that read the home's storage and nothing else. */
    private static final Set<String> TAKEN = Set.of(
            "parley lanes list",
            "parley lanes show",
            "parley lanes why",
            "parley sessions list",
            "parley sessions show",
            "parley sessions search",
            "parley sessions stats",
            "parley sessions resolve",
            "parley deliveries list",
            "parley storage status");

    private final Workplace workplace;
    private final CompletableFuture<Storage> storage;

    /**
     * A surface that works as the gateway's own command does.
     *
     * @param workplace that of the gateway's command
     * @param storage what commands read, once it is open; it stays so for as long as requests come
     */
    LookSurface(Workplace workplace, CompletableFuture<Storage> storage) {
        this.workplace = workplace;
        this.storage = storage;
    }

    /** Returns whether a command is run here. */
    static boolean takes(String command) {
        return TAKEN.contains(command);
    }

    @Override
    public String path() {
        return PATH;
    }

    @Override
    public WebRole needed(String method, String path) {
        return WebRole.OPERATOR;
    }

    @Override
    public WebResponse answer(WebRequest request) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Surroundings own = workplace.around();
        Surroundings around = new Surroundings(
                own.environment(),
                own.userHome(),
                InputStream.nullInputStream(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                own.clock(),
                own.zone(),
                false);
        List<String> arguments = request.query().getOrDefault(ARGUMENT, List.of());
        int code =
                ParleyCommand.look(workplace.reading(storage.join(), around), around, arguments.toArray(String[]::new));
        return WebResponse.text(
                200,
                "application/json",
                Json.pretty(Map.of(
                        "out", out.toString(StandardCharsets.UTF_8),
                        "err", err.toString(StandardCharsets.UTF_8),
                        "code", code)));
    }
}
