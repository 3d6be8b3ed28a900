package dev.parley.bootstrap.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.port.InvalidRequest;
import dev.parley.bootstrap.json.Json;
import dev.parley.bootstrap.json.MalformedJson;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.source.Platforms;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.source.SourceDictionary;
import dev.parley.home.WhatsAppAliasFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Says which lane messages from given sources belong to (K5). */
@Command(
        name = "key",
        description =
                "read sources as JSON lines from standard input and print the lane of each, null for what is no source",
        footer = {
            "",
            "A source is {\"platform\":…,\"chat_id\":…} with the optional fields chat_type, chat_name, user_id, user_name, "
                    + "thread_id, chat_topic, user_id_alt, chat_id_alt, guild_id, parent_chat_id, message_id."
        })
final class KeyCommand implements Callable<Integer> {
    private final ParleyCommand root;

    @Option(names = "--json", description = "print JSON lines instead of the keys alone")
    private boolean json;

    @Option(
            names = "--group-sessions-per-user",
            paramLabel = "true|false",
            arity = "1",
            description = "whether everybody in a group has a session of their own; else as configured")
    private @Nullable Boolean groups;

    @Option(
            names = "--thread-sessions-per-user",
            paramLabel = "true|false",
            arity = "1",
            description = "the same for threads")
    private @Nullable Boolean threads;

    KeyCommand(ParleyCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        Workplace w = root.workplace();
        Isolation configured = w.configuration().isolation();
        KeyRules rules = new KeyRules(
                new Isolation(
                        Optional.ofNullable(groups).orElse(configured.groupSessionsPerUser()),
                        Optional.ofNullable(threads).orElse(configured.threadSessionsPerUser())),
                new WhatsAppAliasFiles(w.home()));
        if (w.configuration().multiplexProfiles()) {
            rules = rules.withProfiles(Optional.empty());
        }
        Platforms platforms = w.providers().platformNames();
        int failed = 0;
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(w.around().in(), StandardCharsets.UTF_8));
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            try {
                print(w, rules, source(line, platforms));
            } catch (MalformedJson | InvalidRequest | IllegalArgumentException e) {
                failed++;
                w.out().println("null");
                w.note("parley: line " + number + ": " + e.getMessage());
            }
        }
        return failed == 0 ? ExitCode.DONE.code() : ExitCode.USAGE.code();
    }

    private void print(Workplace w, KeyRules rules, SessionSource source) {
        String key = rules.keyOf(source).value();
        if (!json) {
            w.out().println(key);
            return;
        }
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("session_key", key);
        row.put("shared", rules.isShared(source));
        row.put("description", source.description());
        w.out().println(Json.line(row));
    }

    /** Returns the source in a line, in its dictionary form (S1.9–S1.12). */
    static SessionSource source(String line, Platforms platforms) throws MalformedJson {
        return source(Json.parse(line), platforms);
    }

    /** Returns the source in a JSON value, in its dictionary form (S1.9–S1.12). */
    static SessionSource source(JsonNode node, Platforms platforms) {
        if (!(Json.plain(node) instanceof Map<?, ?> map)) {
            throw new InvalidRequest("a source is a JSON object with platform and chat_id");
        }
        Map<String, @Nullable Object> dictionary = new LinkedHashMap<>();
        map.forEach((name, value) -> dictionary.put(String.valueOf(name), value));
        return SourceDictionary.read(dictionary, platforms);
    }
}
