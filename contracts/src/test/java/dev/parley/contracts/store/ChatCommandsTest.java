package dev.parley.contracts.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.commands.BuiltInCommands;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.usage.TokenUsage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands on sessions and transcripts (Z12.1 to Z12.17). */
class ChatCommandsTest {
    private static final SessionSource KIM = SessionSource.builder(Platform.TELEGRAM, "99")
            .userId("kim")
            .userName("Kim")
            .build();
    private static final SessionSource TEAM = SessionSource.builder(Platform.TELEGRAM, "-5")
            .chatType(ChatType.GROUP)
            .userId("kim")
            .userName("Kim")
            .build();

    private final CommandBench bench = new CommandBench(new KeyRules(Isolation.DEFAULT, AliasLookup.NONE));

    // title

    @Test
    @DisplayName("Z12.5: a title is cleaned and stored; alone, /title shows it with the session's id")
    void title() {
        SessionId session = bench.turn(KIM, "hello");
        assertThat(bench.run(KIM, "/title   Fix \u200b the\tbuild ")).isEqualTo("Title set: Fix the build");
        assertThat(bench.run(KIM, "/title")).isEqualTo("Title: Fix the build\nSession: " + session);
    }

    @Test
    @DisplayName("Z12.5: too long, empty and taken titles are refused and change nothing")
    void titleRefused() {
        SessionId session = bench.turn(KIM, "hello");
        SessionId other = bench.turn(TEAM, "hello");
        bench.run(TEAM, "/title Ours");
        assertThat(bench.run(KIM, "/title " + "x".repeat(101))).isEqualTo("Title too long (101 chars, max 100)");
        assertThat(bench.run(KIM, "/title \u200b")).contains("Usage: /title");
        assertThat(bench.run(KIM, "/title Ours"))
                .isEqualTo("Title 'Ours' is already in use.")
                .doesNotContain(other.value());
        assertThat(bench.storage.sessions().find(session).flatMap(Session::title))
                .isEmpty();
        assertThat(bench.run(TEAM, "/title Ours")).isEqualTo("Title set: Ours");
    }

    @Test
    @DisplayName("Z12.5: the title of the session's own compressed ancestor moves to it")
    void titleOfAnAncestor() {
        SessionId session = bench.turn(KIM, "hello");
        SessionId root = SessionId.of("root");
        bench.commit(
                new Change.CreateSession(Session.builder(root, "telegram", bench.clock.instant())
                        .title("Plan")
                        .ending(Ending.of(bench.clock.instant(), Ending.COMPRESSION))
                        .build()),
                new Change.EditSession(session, new SessionEdit.Parent(Optional.of(root))));
        assertThat(bench.run(KIM, "/title Plan")).isEqualTo("Title set: Plan");
        assertThat(bench.storage.sessions().find(root).flatMap(Session::title)).isEmpty();
    }

    @Test
    @DisplayName("Z12.5: a session whose row is missing gets one with its title")
    void titleCreatesTheRow() {
        SessionId session = bench.turn(KIM, "hello");
        bench.commit(new Change.DeleteSession(session));
        bench.run(KIM, "/title Kept");
        assertThat(bench.storage.sessions().find(session).flatMap(Session::title))
                .contains("Kept");
    }

    // resume and sessions

    @Test
    @DisplayName("/resume alone lists this lane's previous sessions first, then titled ones")
    void resumeLists() {
        bench.turn(KIM, "first conversation");
        bench.run(KIM, "/title Alpha");
        SessionId first = bench.current(KIM);
        bench.renew(KIM);
        SessionId second = bench.turn(KIM, "second conversation");
        bench.renew(KIM);
        bench.turn(KIM, "third conversation");
        String list = bench.run(KIM, "/resume");
        assertThat(list.lines().toList().get(1))
                .startsWith("1. (untitled) – second conversation")
                .contains(second.value());
        assertThat(list.lines().toList().get(2))
                .startsWith("2. Alpha – first conversation")
                .contains(first.value());
        assertThat(list).doesNotContain("third conversation");
    }

    @Test
    @DisplayName("Z12.3: with nothing to go back to, /resume says so")
    void resumeNothing() {
        bench.turn(KIM, "hello");
        assertThat(bench.run(KIM, "/resume")).startsWith("There are no earlier or named sessions");
    }

    @ParameterizedTest
    @DisplayName("Z12.3: a session is resumed by number, id or title, quoted or bracketed, in any of these forms")
    @ValueSource(
            strings = {
                "1",
                "ID",
                "Alpha beta",
                "\"Alpha beta\"",
                "'Alpha beta'",
                "<Alpha beta>",
                "[Alpha beta]",
                "Alpha\\ beta"
            })
    void resumeForms(String form) {
        SessionId first = bench.turn(KIM, "first");
        bench.run(KIM, "/title Alpha beta");
        bench.renew(KIM);
        SessionId second = bench.turn(KIM, "second");
        assertThat(bench.run(KIM, "/resume " + form.replace("ID", first.value())))
                .isEqualTo("Back in session 'Alpha beta', with 1 message of yours.");
        assertThat(bench.current(KIM)).isEqualTo(first);
        assertThat(bench.storage.sessions().find(second).orElseThrow().endedBy(Ending.SESSION_SWITCH))
                .isTrue();
        assertThat(bench.storage.sessions().find(first).orElseThrow().isLive()).isTrue();
        assertThat(bench.last.effects()).containsExactly(CommandOutcome.Effect.RELEASE_AGENT);
    }

    @Test
    @DisplayName("Z12.3: wrong numbers, open quotes, unknown names and the current session each get their answer")
    void resumeErrors() {
        SessionId session = bench.turn(KIM, "first");
        assertThat(bench.run(KIM, "/resume 0")).startsWith("There is no session number 0");
        assertThat(bench.run(KIM, "/resume 99999999999999999999")).startsWith("There is no session number");
        assertThat(bench.run(KIM, "/resume \"open")).contains("quotation mark");
        assertThat(bench.run(KIM, "/resume open\\")).contains("backslash");
        assertThat(bench.run(KIM, "/resume nothing")).startsWith("No session 'nothing' was found");
        assertThat(bench.run(KIM, "/resume ../x")).startsWith("No session '../x' was found");
        assertThat(bench.run(KIM, "/resume " + session)).endsWith("already.");
    }

    @Test
    @DisplayName(
            "Z12.3, Z12.6: a title leads to the newest of its numbered ones, and on to the end of a compressed chain")
    void resumeFollowsLineage() {
        bench.turn(KIM, "first");
        bench.run(KIM, "/title Plan");
        bench.renew(KIM);
        SessionId numbered = bench.turn(KIM, "second");
        bench.run(KIM, "/title Plan #2");
        SessionId tip = SessionId.of("tip");
        bench.renew(KIM);
        bench.commit(
                new Change.EditSession(numbered, new SessionEdit.Reopen()),
                new Change.EditSession(
                        numbered, new SessionEdit.End(Ending.of(bench.clock.instant(), Ending.COMPRESSION))),
                new Change.CreateSession(Session.builder(tip, "telegram", bench.clock.instant())
                        .parent(numbered)
                        .peer(new SessionPeer(bench.entry(KIM).key(), Optional.of(KIM)))
                        .build()));
        bench.run(KIM, "/resume Plan");
        assertThat(bench.current(KIM)).isEqualTo(tip);
    }

    @Test
    @DisplayName("Z12.3: /resume as the first message of a chat makes the lane")
    void resumeWithoutLane() {
        SessionId session = bench.turn(KIM, "first");
        bench.commit(new Change.RemoveLane(bench.entry(KIM).key()));
        assertThat(bench.run(KIM, "/resume 1")).startsWith("Back in session");
        assertThat(bench.current(KIM)).isEqualTo(session);
    }

    @Test
    @DisplayName("Z12.4: --all is for admins, who then reach another chat's session unless it is in use there")
    void resumeAll() {
        SessionId team = bench.turn(TEAM, "ours");
        bench.turn(KIM, "mine");
        assertThat(bench.run(KIM, "/resume --all " + team)).isEqualTo("Only an admin may look beyond this chat.");
        bench.admins = Set.of(KIM);
        assertThat(bench.run(KIM, "/resume " + team)).startsWith("No session");
        assertThat(bench.run(KIM, "/resume --all " + team)).endsWith("is in use in another conversation.");
        bench.renew(TEAM);
        assertThat(bench.run(KIM, "/resume " + team + " --cross-room")).startsWith("Back in session");
        assertThat(bench.current(KIM)).isEqualTo(team);
    }

    @Test
    @DisplayName(
            "Z12.7: /sessions lists titled ones, full lists all, search looks at titles and ids, other words resume")
    void sessions() {
        SessionId first = bench.turn(KIM, "first");
        bench.run(KIM, "/title Alpha");
        bench.renew(KIM);
        SessionId second = bench.turn(KIM, "second");
        bench.renew(KIM);
        bench.turn(KIM, "third");
        assertThat(bench.run(KIM, "/sessions")).contains("Alpha").doesNotContain(second.value());
        assertThat(bench.run(KIM, "/sessions list full"))
                .contains("Alpha", second.value())
                .doesNotContain("third");
        assertThat(bench.run(KIM, "/sessions search alph")).contains(first.value());
        assertThat(bench.run(KIM, "/sessions search zzz")).isEqualTo("No title or id here contains 'zzz'.");
        assertThat(bench.run(KIM, "/sessions search")).isEqualTo("Usage: /sessions search TEXT");
        assertThat(bench.run(KIM, "/sessions all")).startsWith("Only an admin");
        assertThat(bench.run(KIM, "/sessions Alpha")).startsWith("Back in session 'Alpha'");
    }

    // unreset

    @Test
    @DisplayName("/unreset goes back to the session before and keeps what was said since, found once by search")
    void unreset() {
        SessionId before = bench.turn(KIM, "old words");
        bench.clock.move(Duration.ofHours(25));
        SessionId after = bench.turn(KIM, "newer words");
        assertThat(after).isNotEqualTo(before);
        assertThat(bench.run(KIM, "/unreset")).endsWith("goes on, with 2 messages since then.");
        assertThat(bench.current(KIM)).isEqualTo(before);
        assertThat(bench.texts(before))
                .containsExactly("old words", "answer to old words", "newer words", "answer to newer words");
        assertThat(bench.texts(after)).isEmpty();
        assertThat(bench.storage.transcripts().loadAll(after)).hasSize(2);
        assertThat(found("newer")).isEqualTo(2);
        assertThat(bench.storage
                        .lanes()
                        .history(bench.entry(KIM).key(), 1)
                        .get(0)
                        .reason())
                .isEqualTo("unreset");
        assertThat(bench.run(KIM, "/unreset")).startsWith("There is no reset to take back");
    }

    @Test
    @DisplayName("a /new can be taken back too, also before anything was said")
    void unresetNew() {
        SessionId before = bench.turn(KIM, "old words");
        bench.renew(KIM);
        assertThat(bench.run(KIM, "/unreset")).endsWith("goes on.");
        assertThat(bench.current(KIM)).isEqualTo(before);
    }

    @Test
    @DisplayName("outside the window, and without a reset, /unreset changes nothing")
    void unresetRefused() {
        assertThat(bench.run(KIM, "/unreset")).isEqualTo("There is no session yet. Send a message first.");
        bench.turn(KIM, "old words");
        assertThat(bench.run(KIM, "/unreset")).startsWith("There is no reset");
        bench.renew(KIM);
        SessionId current = bench.turn(KIM, "newer words");
        bench.clock.move(GatewaySettings.DEFAULT.chat().unresetWindow());
        assertThat(bench.run(KIM, "/unreset")).startsWith("The reset is too long ago");
        assertThat(bench.current(KIM)).isEqualTo(current);
    }

    // undo and retry

    @Test
    @DisplayName("Z12.8: /undo takes back one turn, or as many as asked for, and says what they were")
    void undo() {
        SessionId session = bench.turn(KIM, "q1");
        bench.turn(KIM, "q2");
        bench.turn(KIM, "q3");
        bench.store.updateSession(bench.entry(KIM).key(), Optional.of(50L));
        assertThat(bench.run(KIM, "/undo")).isEqualTo("Took back 1 turn (2 messages). It began with: q3");
        assertThat(bench.entry(KIM).usage().lastPromptTokens()).isZero();
        assertThat(bench.last.effects()).containsExactly(CommandOutcome.Effect.RELEASE_AGENT);
        assertThat(bench.run(KIM, "/undo 99")).isEqualTo("Took back 2 turns (4 messages). It began with: q1");
        assertThat(bench.texts(session)).isEmpty();
        assertThat(bench.run(KIM, "/undo")).isEqualTo("There is nothing to undo.");
        assertThat(bench.storage.transcripts().loadAll(session)).hasSize(6);
    }

    @Test
    @DisplayName("Z12.8: fewer than one counts as one, what is no number is refused")
    void undoArguments() {
        bench.turn(KIM, "q1");
        assertThat(bench.run(KIM, "/undo two")).isEqualTo("'two' is not a number. Usage: /undo [N]");
        assertThat(bench.run(KIM, "/undo 1 2")).contains("is not a number");
        assertThat(bench.run(KIM, "/undo 99999999999999999999")).contains("is not a number");
        assertThat(bench.run(KIM, "/undo -3")).startsWith("Took back 1 turn");
    }

    @Test
    @DisplayName("Z12.8: where confirmations are on, /undo asks first and does it only when told yes")
    void undoConfirmed() {
        bench.settings = GatewaySettings.DEFAULT.chat(c -> c.withConfirmDestructive(true));
        SessionId session = bench.turn(KIM, "q1");
        assertThat(bench.run(KIM, "/undo 5")).endsWith("To do it: /undo 1 yes");
        assertThat(bench.texts(session)).hasSize(2);
        assertThat(bench.run(KIM, "/undo 1 yes")).startsWith("Took back 1 turn");
        assertThat(bench.texts(session)).isEmpty();
    }

    @Test
    @DisplayName("Z12.9, D16: /retry hides the last turn and runs its message as an ordinary one")
    void retry() {
        SessionId session = bench.turn(KIM, "q1");
        bench.turn(KIM, "q2");
        assertThat(bench.run(KIM, "/retry")).isEmpty();
        assertThat(bench.last.enqueue()).contains(new CommandOutcome.Enqueue(Inbound.Kind.RETRIED, "q2", true));
        assertThat(bench.texts(session)).containsExactly("q1", "answer to q1");
        assertThat(bench.storage.transcripts().loadAll(session)).hasSize(4);
        assertThat(bench.entry(KIM).usage().lastPromptTokens()).isZero();
    }

    @Test
    @DisplayName("Z12.9: without a message there is nothing to run again; in a shared session the name is not doubled")
    void retryEdges() {
        assertThat(bench.run(KIM, "/retry")).isEqualTo("There is no message to run again.");
        SessionSource shared = TEAM.toBuilder().threadId("7").build();
        bench.turn(shared, "[Kim] q1");
        bench.run(shared, "/retry");
        assertThat(bench.last.enqueue().orElseThrow().text()).isEqualTo("q1");
    }

    @Test
    @DisplayName(
            "X9.4, Z12.9: in a shared session another's message runs again as it was said, under nobody else's name")
    void retryOfAnothersMessage() {
        SessionSource shared = TEAM.toBuilder().threadId("7").build();
        bench.turn(shared, "[Bob] q1");
        bench.run(shared, "/retry");
        CommandOutcome.Enqueue again = bench.last.enqueue().orElseThrow();
        assertThat(again.text()).isEqualTo("[Bob] q1");
        assertThat(again.source().flatMap(SessionSource::userName)).isEmpty();
        assertThat(again.source().flatMap(SessionSource::userId)).contains("kim");
    }

    @Test
    @DisplayName(
            "G3.1, R6.14: of a stopped conversation /retry sends the message anew and changes nothing, /undo and /compress say so")
    void commandsOnAStoppedConversation() {
        SessionId session = bench.turn(KIM, "q1");
        bench.turn(KIM, "q2");
        bench.store.suspendSession(bench.rules.keyOf(KIM));
        bench.run(KIM, "/retry");
        assertThat(bench.last.enqueue().orElseThrow().text()).isEqualTo("q2");
        assertThat(bench.run(KIM, "/undo"))
                .contains("has ended (it was stopped)")
                .contains("/resume");
        assertThat(bench.run(KIM, "/compress")).contains("has ended (it was stopped)");
        assertThat(bench.summarised).isEmpty();
        assertThat(bench.texts(session)).hasSize(4);
        assertThat(bench.run(KIM, "/branch")).startsWith("Branched");
    }

    @Test
    @DisplayName("G3.4: commands keep no conversation that has expired; /resume by its name does")
    void commandsOnAnExpiredConversation() {
        SessionId session = bench.turn(KIM, "q1");
        bench.run(KIM, "/title Work");
        bench.clock.set(bench.clock.instant().plus(Duration.ofDays(2)));
        assertThat(bench.run(KIM, "/undo")).contains("has ended (nothing was said for too long)");
        assertThat(bench.run(KIM, "/resume")).contains("1. Work");
        assertThat(bench.run(KIM, "/resume Work")).isEqualTo("Back in session 'Work', with 1 message of yours.");
        assertThat(bench.entry(KIM).sessionId()).isEqualTo(session);
        assertThat(bench.entry(KIM).updatedAt()).isEqualTo(bench.clock.instant());
        assertThat(bench.run(KIM, "/undo")).startsWith("Took back 1 turn");
    }

    @Test
    @DisplayName(
            "Z12.3: after /stop, /resume alone goes back to that session and lists it first; its number holds until something happens")
    void resumeAfterStop() {
        bench.turn(KIM, "older");
        bench.store.resetSession(bench.rules.keyOf(KIM), Optional.empty());
        SessionId stopped = bench.turn(KIM, "newer");
        bench.store.suspendSession(bench.rules.keyOf(KIM));
        long epoch =
                bench.storage.lanes().find(bench.rules.keyOf(KIM)).orElseThrow().epoch();
        assertThat(bench.run(KIM, "/resume"))
                .startsWith("Back in session " + stopped + ", with 1 message of yours.\nSessions to go back to:\n1. ")
                .contains("the session of this chat, " + stopped)
                .contains("\n2. ");
        assertThat(bench.storage.lanes().find(bench.rules.keyOf(KIM)).orElseThrow())
                .satisfies(lane -> assertThat(lane.entry().isSuspended()).isFalse())
                .satisfies(lane -> assertThat(lane.entry().sessionId()).isEqualTo(stopped))
                .satisfies(lane -> assertThat(lane.epoch()).isEqualTo(epoch + 1));
        assertThat(bench.run(KIM, "/resume 1")).isEqualTo("This is session " + stopped + " already.");
        assertThat(bench.run(KIM, "/resume 2")).startsWith("Back in session");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/compress --aggressive",
                "/compress the deploy --force",
                "/compress --previw",
                "/compress -previw",
                "/compress \u2013previw",
                "/undo -hard",
                "/retry --dry-run",
                "/undo --hard",
                "/unreset --dry-run",
                "/branch --new",
                "/title --clear",
                "/resume --al",
                "/sessions --verbose",
                "/usage --all",
                "/help --long"
            })
    @DisplayName("A flag that a command does not know: a clear line, and nothing is done")
    void unknownFlags(String command) {
        SessionId session = bench.turn(KIM, "q1");
        bench.turn(KIM, "q2");
        assertThat(bench.run(KIM, command)).contains(" knows no '-").contains("so nothing was done. Usage: /");
        assertThat(bench.last.changes()).isEmpty();
        assertThat(bench.last.enqueue()).isEmpty();
        assertThat(bench.summarised).isEmpty();
        assertThat(bench.texts(session)).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--preview",
                "--dry-run",
                "preview",
                "here 1 --DRY-RUN",
                "dry-run",
                "dry run",
                "-preview",
                "\u2013preview",
                "\u2014preview",
                "Preview here 1",
                "dry run here 1",
                "here 1 -Dry-Run"
            })
    @DisplayName("Z12.10: every way to ask for the preview changes nothing")
    void previews(String words) {
        SessionId session = bench.turn(KIM, "q1");
        bench.turn(KIM, "q2");
        assertThat(bench.run(KIM, "/compress " + words)).startsWith("This would replace");
        assertThat(bench.texts(session)).hasSize(4);
    }

    @Test
    @DisplayName("Z12.10: words behind those that ask for the preview are a focus")
    void aFocusMayBeginWithThePreview() {
        bench.turn(KIM, "q1");
        bench.turn(KIM, "q2");
        bench.run(KIM, "/compress preview of the deploy");
        assertThat(bench.summarised).hasSize(4);
    }

    @Test
    @DisplayName("Behind a lone -- a title may begin with hyphens")
    void textBehindTheEndOfFlags() {
        bench.turn(KIM, "q1");
        assertThat(bench.run(KIM, "/title -- --force explained")).isEqualTo("Title set: --force explained");
        assertThat(bench.run(KIM, "/title About --force")).isEqualTo("Title set: About --force");
    }

    @Test
    @DisplayName("Counts that cannot be true are not shown")
    void nonsenseUsage() {
        SessionId session = bench.turn(KIM, "q1");
        bench.use(KIM, session, new TokenUsage(Long.MAX_VALUE - 9, 5, 0, 0, 0), Long.MAX_VALUE);
        assertThat(bench.run(KIM, "/usage"))
                .contains("output 5")
                .doesNotContain("Context:")
                .doesNotContain("9223");
    }

    // compress

    @Test
    @DisplayName(
            "Z12.10: /compress replaces the conversation by a summary; nothing is deleted, all is still found once")
    void compress() {
        SessionId session = bench.turn(KIM, "red question");
        bench.turn(KIM, "blue question");
        assertThat(bench.run(KIM, "/compress the colours")).startsWith("Compressed 4 messages");
        assertThat(bench.focus).contains("the colours");
        assertThat(bench.summarised).hasSize(4);
        List<StoredMessage> active = bench.storage.transcripts().load(session);
        assertThat(active).singleElement().satisfies(m -> {
            assertThat(m.message().kind()).isEqualTo(Message.Kind.SUMMARY);
            assertThat(m.message().role()).isEqualTo(Role.USER);
            assertThat(m.message().content().plainText()).isEqualTo("what was said so far");
        });
        assertThat(bench.storage.transcripts().loadAll(session)).hasSize(5);
        assertThat(found("red")).isEqualTo(2);
        assertThat(bench.storage.sessions().find(session).orElseThrow().messageCount())
                .isEqualTo(5);
        assertThat(bench.last.effects()).containsExactly(CommandOutcome.Effect.RELEASE_AGENT);
    }

    @ParameterizedTest
    @DisplayName("Z12.10: here N keeps the last N exchanges as they are, in every way to say it")
    @ValueSource(strings = {"here 1", "up to here 1", "--keep 1", "HERE 1", "here 0", "here -4"})
    void compressHere(String arguments) {
        SessionId session = bench.turn(KIM, "red question");
        bench.turn(KIM, "blue question");
        bench.turn(KIM, "green question");
        bench.run(KIM, "/compress " + arguments);
        assertThat(bench.texts(session))
                .containsExactly("what was said so far", "green question", "answer to green question");
        assertThat(found("green")).isEqualTo(2);
        assertThat(found("red")).isEqualTo(2);
        assertThat(bench.focus).isEmpty();
    }

    @Test
    @DisplayName(
            "Z12.10: here alone keeps two exchanges; too few rows, nothing before them and a preview change nothing")
    void compressRefused() {
        SessionId session = bench.turn(KIM, "q1");
        assertThat(bench.run(KIM, "/compress")).startsWith("There is too little to compress");
        bench.turn(KIM, "q2");
        assertThat(bench.run(KIM, "/compress here"))
                .startsWith("There is nothing to compress before the last 2 exchanges");
        bench.turn(KIM, "q3");
        assertThat(bench.run(KIM, "/compact --preview here"))
                .startsWith("This would replace 2 messages")
                .endsWith("Nothing was changed.");
        assertThat(bench.texts(session)).hasSize(6);
        bench.run(KIM, "/compress here");
        assertThat(bench.texts(session)).hasSize(5);
        assertThat(bench.run(KIM, "/compress here")).startsWith("There is nothing to compress");
    }

    @Test
    @DisplayName(
            "Z12.10: without a summary, with a blank one, and where the conversation changed meanwhile, nothing changes")
    void compressFails() {
        SessionId session = bench.turn(KIM, "q1");
        bench.turn(KIM, "q2");
        bench.summary = Optional.empty();
        assertThat(bench.run(KIM, "/compress"))
                .isEqualTo("The conversation could not be compressed: the model is not there. Nothing was changed.");
        bench.summary = Optional.of("  ");
        assertThat(bench.run(KIM, "/compress")).startsWith("The agent gave no summary.");
        bench.summary = Optional.of("fine");
        bench.beforeStoring = () -> bench.say(session, Role.USER, "late");
        assertThat(bench.run(KIM, "/compress")).startsWith("The conversation changed");
        assertThat(bench.texts(session)).containsExactly("q1", "answer to q1", "q2", "answer to q2", "late");
    }

    @Test
    @DisplayName("Z12.10, O4.20: what stands before a summary cannot be taken back by /undo")
    void undoStopsAtTheSummary() {
        SessionId session = bench.turn(KIM, "q1");
        bench.turn(KIM, "q2");
        bench.run(KIM, "/compress");
        assertThat(bench.run(KIM, "/undo")).isEqualTo("There is nothing to undo.");
        assertThat(bench.texts(session)).hasSize(1);
    }

    // branch

    @Test
    @DisplayName("Z12.12: a branch is a copy with a parent and the next title, and the original can be gone back to")
    void branch() {
        SessionId original = bench.turn(KIM, "q1");
        bench.run(KIM, "/title Plan");
        assertThat(bench.run(KIM, "/branch")).contains(original.value(), "Plan #2", "2 messages");
        SessionId branch = bench.current(KIM);
        assertThat(branch).isNotEqualTo(original);
        assertThat(bench.texts(branch)).isEqualTo(bench.texts(original));
        Session stored = bench.storage.sessions().find(branch).orElseThrow();
        assertThat(stored.parent()).contains(original);
        assertThat(stored.title()).contains("Plan #2");
        assertThat(stored.modelConfig().orElseThrow().text()).contains("\"_branched_from\":\"" + original + "\"");
        bench.turn(KIM, "only in the branch");
        bench.run(KIM, "/resume " + original);
        assertThat(bench.texts(original)).doesNotContain("only in the branch");
        assertThat(bench.run(KIM, "/resume")).contains("Plan #2");
    }

    @Test
    @DisplayName("Z12.12: a branch takes the name it is given, \"branch\" without any, and refuses a taken one")
    void branchNames() {
        assertThat(bench.run(KIM, "/branch")).isEqualTo("There is no conversation to branch from yet.");
        SessionId original = bench.turn(KIM, "q1");
        bench.run(KIM, "/fork  My  idea");
        assertThat(bench.storage.sessions().find(bench.current(KIM)).flatMap(Session::title))
                .contains("My idea");
        bench.run(KIM, "/resume " + original);
        SessionId before = bench.current(KIM);
        assertThat(bench.run(KIM, "/branch My idea")).contains("already in use").endsWith("Nothing was branched.");
        assertThat(bench.current(KIM)).isEqualTo(before);
        bench.run(KIM, "/branch");
        assertThat(bench.storage.sessions().find(bench.current(KIM)).flatMap(Session::title))
                .contains("branch");
    }

    // usage and help

    @Test
    @DisplayName("Z12.15: usage is counted, else estimated, else said to be unknown; unknown words are refused")
    void usage() {
        assertThat(bench.run(KIM, "/usage")).isEqualTo("There is no data about this conversation yet.");
        bench.turn(KIM, "hello there");
        assertThat(bench.run(KIM, "/usage")).contains("none were counted", "Messages: 2");
        assertThat(bench.run(KIM, "/usage everything")).isEqualTo("/usage knows no 'everything'. Usage: /usage");
    }

    @Test
    @DisplayName(
            "Q8.29, Q8.30: help and start run at any time, everything else of these waits for the turn; help names them all")
    void help() {
        String help = bench.run(KIM, "/help");
        for (ChatCommand command : BuiltInCommands.all()) {
            assertThat(help).contains(command.usage());
            boolean always = command.when() == ChatCommand.When.ALWAYS;
            assertThat(always).isEqualTo(Set.of("help", "start").contains(command.name()));
        }
    }

    @Test
    @DisplayName("Commit rule 3: what a command stores is its outcome; running it alone stores nothing")
    void commandsOnlyDecide() {
        bench.turn(KIM, "q1");
        bench.turn(KIM, "q2");
        List<LaneEvent> history = bench.storage.lanes().history(bench.entry(KIM).key(), 99);
        SessionId session = bench.current(KIM);
        for (ChatCommand command : BuiltInCommands.all()) {
            command.run(bench.context(KIM, command.name(), ""));
            command.run(bench.context(KIM, command.name(), "1"));
        }
        assertThat(bench.storage.lanes().history(bench.entry(KIM).key(), 99)).isEqualTo(history);
        assertThat(bench.current(KIM)).isEqualTo(session);
        assertThat(bench.texts(session)).hasSize(4);
    }

    private int found(String word) {
        return bench.storage.search().search(SearchQuery.of(word)).size();
    }
}
