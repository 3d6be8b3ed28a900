package dev.parley.contracts.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.change.Change;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody sees or reaches what was said elsewhere, whatever they type (Z12.4); over generated chats and users. */
class ChatPrivacyTest {
    private record Held(SessionKey lane, SessionId session, String title, String words) {}

    @ParameterizedTest(name = "seed {0}")
    @DisplayName(
            "Z12.4: lists and searches show only what belongs to the writer's own lane, and no id or title opens more")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void nothingLeaks(long seed) {
        Random random = new Random(seed);
        KeyRules rules = new KeyRules(new Isolation(random.nextBoolean(), random.nextBoolean()), AliasLookup.NONE);
        CommandBench bench = new CommandBench(rules);
        List<SessionSource> people = new ArrayList<>();
        List<Held> held = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            SessionSource source = anyone(random);
            people.add(source);
            for (int n = 0; n < 2; n++) {
                String words = "words" + i + "x" + n + "y";
                SessionId session = bench.turn(source, words);
                String title = "Title " + i + "-" + n + " end";
                if (random.nextBoolean()) {
                    bench.run(source, "/title " + title);
                }
                held.add(new Held(rules.keyOf(source), session, title, words));
                bench.store.resetSession(rules.keyOf(source), Optional.empty());
            }
        }
        held.addAll(storedOnly(bench));
        for (SessionSource source : people) {
            SessionKey own = rules.keyOf(source);
            List<Held> foreign =
                    held.stream().filter(h -> !h.lane().equals(own)).toList();
            for (String line : List.of(
                    "/resume",
                    "/sessions",
                    "/sessions full",
                    "/sessions search Title",
                    "/sessions search 2026",
                    "/title",
                    "/usage",
                    "/help",
                    "/undo",
                    "/compress --preview")) {
                String reply = bench.run(source, line);
                for (Held h : foreign) {
                    assertThat(reply)
                            .as("%s from %s", line, own)
                            .doesNotContain(h.session().value(), h.title(), h.words());
                }
            }
            Held target = foreign.get(random.nextInt(foreign.size()));
            for (String typed : List.of(target.session().value(), "\"" + target.title() + "\"", target.title())) {
                SessionId before = bench.current(source);
                String reply = bench.run(source, "/resume " + typed);
                assertThat(reply).startsWith("No session");
                assertThat(bench.current(source)).isEqualTo(before);
                assertThat(bench.run(source, "/sessions " + typed)).isEqualTo(reply);
                assertThat(bench.run(source, "/resume --all " + typed)).startsWith("Only an admin");
            }
            if (bench.storage.sessions().findByTitle(target.title()).isPresent()) {
                assertThat(bench.run(source, "/title " + target.title()))
                        .as("a taken title does not tell whose it is")
                        .endsWith("is already in use.");
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @DisplayName("Z12.4: everybody finds back what they said on their own lane")
    @ValueSource(longs = {11, 12, 13})
    void ownSessionsAreFound(long seed) {
        Random random = new Random(seed);
        KeyRules rules = new KeyRules(new Isolation(random.nextBoolean(), random.nextBoolean()), AliasLookup.NONE);
        CommandBench bench = new CommandBench(rules);
        for (int i = 0; i < 20; i++) {
            SessionSource source = anyone(random);
            if (rules.participantOf(source).isEmpty()) {
                continue;
            }
            SessionId session = bench.turn(source, "hello " + i);
            bench.store.resetSession(rules.keyOf(source), Optional.empty());
            assertThat(bench.run(source, "/resume")).contains(session.value());
            assertThat(bench.run(source, "/resume 1")).startsWith("Back in session");
            assertThat(bench.current(source)).isEqualTo(session);
        }
    }

    /** Sessions of which only platform and user are known, as other systems store them. */
    private static List<Held> storedOnly(CommandBench bench) {
        List<Held> held = new ArrayList<>();
        for (String user : List.of("u0", "u1", "nobody")) {
            SessionId id = SessionId.of("stored-" + user);
            bench.commit(new Change.CreateSession(Session.builder(id, "discord", bench.clock.instant())
                    .userId(user)
                    .title("Stored title of " + user)
                    .build()));
            bench.say(id, Role.USER, "stored words of " + user);
            held.add(new Held(
                    new SessionKey("agent:main:discord:elsewhere"),
                    id,
                    "Stored title of " + user,
                    "stored words of " + user));
        }
        return held;
    }

    /** Chats, threads and users from small sets, so that many share some of them. */
    private static SessionSource anyone(Random random) {
        ChatType type = List.of(ChatType.DM, ChatType.GROUP, ChatType.CHANNEL, ChatType.THREAD)
                .get(random.nextInt(4));
        Platform platform = random.nextBoolean() ? Platform.TELEGRAM : Platform.SLACK;
        SessionSource.Builder source =
                SessionSource.builder(platform, "c" + random.nextInt(3)).chatType(type);
        if (random.nextInt(3) == 0) {
            source.threadId("t" + random.nextInt(2));
        }
        if (random.nextInt(8) != 0) {
            source.userId("u" + random.nextInt(4));
        }
        if (random.nextInt(5) == 0) {
            source.userIdAlt("alt" + random.nextInt(2));
        }
        return source.build();
    }
}
