package dev.parley.adapter.signal;

import static dev.parley.adapter.signal.SignalTesting.ACCOUNT;
import static dev.parley.adapter.signal.SignalTesting.ADA;
import static dev.parley.adapter.signal.SignalTesting.ADAS_UUID;
import static dev.parley.fakes.gateway.FakeGateway.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.api.OutcomeUnknown;
import dev.parley.application.ability.Diagnosing;
import dev.parley.application.ability.SendingInParts;
import dev.parley.application.ability.Typing;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.Happened;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.MediaStore;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Sent;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.PrecedingMessage;
import dev.parley.domain.turn.SentPart;
import dev.parley.fakes.gateway.FakeGateway;
import dev.parley.fakes.network.Fault;
import dev.parley.fakes.signal.FakeSignal;
import dev.parley.fakes.signal.Shown;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The account before a daemon: what it hands in, what it sends, and what it does where the daemon or the gateway cannot. */
class SignalPlatformTest {
    private static final String TEAM = "group:dGVhbQ==";

    @TempDir
    private Path home;

    private final FakeGateway gateway = SignalTesting.gateway();
    private final FakeSignal signal = SignalTesting.signal(gateway);
    private final List<ChatPlatform> platforms = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        platforms.forEach(ChatPlatform::stop);
        signal.close();
        gateway.close();
    }

    private ChatPlatform made(Map<String, String> values) {
        ChatPlatform platform = SignalTesting.platform(gateway, signal, home, values);
        platforms.add(platform);
        return platform;
    }

    private ChatPlatform started() {
        ChatPlatform platform = made(Map.of());
        platform.start(gateway);
        return platform;
    }

    private Path spool() {
        return home.resolve("signal/spool-15550100.jsonl");
    }

    private String spooled() {
        try {
            return Files.readString(spool());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // receiving

    @Test
    void anErrorWhileReadingIsToldAndReadingBeginsAgain() throws Exception {
        gateway.failing(new StackOverflowError("said by somebody"));

        started();

        until("it reads again", () -> gateway.connections().contains("connected"));
        assertThat(gateway.warnings())
                .anyMatch(line -> line.contains("Reading failed (java.lang.StackOverflowError at "))
                .noneMatch(line -> line.contains("said by somebody"));
        signal.write(ADA, "one");
        until("it is handed in", () -> gateway.texts().contains("one"));
    }

    @Test
    void whatTheGatewayFailsWithIsHandedInAgainAndToldWithoutItsText() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        gateway.taking(message -> {
            if (tries.getAndIncrement() == 0) {
                throw new StackOverflowError(message.text());
            }
            return FakeGateway.admitted();
        });
        started();

        signal.write(ADA, "said by somebody");

        until("it is handed in again", () -> tries.get() == 2);
        assertThat(gateway.warnings()).noneMatch(line -> line.contains("said by somebody"));
    }

    @Test
    void whatWaitedAndWhatComesIsHandedInInOrder() throws Exception {
        signal.group("dGVhbQ==", "Team");
        signal.write(ADA, "before");
        started();
        long second = signal.write(ADA, "after");
        signal.writeInGroup("dGVhbQ==", ADA, "to all");

        until("three came", () -> gateway.texts().size() == 3);
        assertThat(gateway.texts()).containsSubsequence("before", "after").contains("to all");
        assertThat(gateway.received())
                .filteredOn(message -> message.text().equals("after"))
                .singleElement()
                .satisfies(message -> {
                    assertThat(message.messageId()).contains(ADAS_UUID + ":" + second);
                    assertThat(message.source().chatId()).isEqualTo(ADA);
                });
        assertThat(gateway.connections()).containsExactly("connected");
        until("the spool is empty", () -> spooled().isEmpty());
    }

    @Test
    void whatIsSaidInAGroupBesideTheAccountComesWithTheNextMessageForItAndIsNeverWritten() throws Exception {
        signal.group("dGVhbQ==", "Team");
        gateway.taking(message -> CompletableFuture.completedFuture(new Receipt.Unavailable("full")));
        ChatPlatform platform =
                made(Map.of("require_mention", "true", "mention_patterns", "^parley", "observe_unmentioned", "true"));
        platform.start(gateway);
        signal.writeInGroup("dGVhbQ==", ADA, "We meet at six.");
        signal.writeInGroup("dGVhbQ==", ADA, "parley, when?");

        until("it waits", () -> spooled().contains("parley, when?"));
        assertThat(spooled()).doesNotContain("six");
        gateway.taking(message -> FakeGateway.admitted());
        until("it is taken", () -> spooled().isEmpty());
        assertThat(gateway.received())
                .last()
                .satisfies(message -> assertThat(message.context())
                        .extracting(PrecedingMessage::text)
                        .containsExactly("We meet at six."));
    }

    @Test
    void whatIsEditedOrDeletedOfWhatWasSaidBesideTheAccountIsNeverWrittenEither() throws Exception {
        signal.group("dGVhbQ==", "Team");
        gateway.taking(message -> CompletableFuture.completedFuture(new Receipt.Unavailable("full")));
        ChatPlatform platform =
                made(Map.of("require_mention", "true", "mention_patterns", "^parley", "observe_unmentioned", "true"));
        platform.start(gateway);
        long edited = signal.writeInGroup("dGVhbQ==", ADA, "We meet at six.");
        long deleted = signal.writeInGroup("dGVhbQ==", ADA, "We do not.");
        signal.editInGroup("dGVhbQ==", ADA, edited, "We meet at seven.");
        signal.writeInGroup(
                "dGVhbQ==",
                ADA,
                null,
                message -> message.putObject("remoteDelete").put("timestamp", deleted));
        signal.writeInGroup("dGVhbQ==", ADA, "parley, when?");

        until("it waits", () -> spooled().contains("parley, when?"));
        assertThat(spooled()).doesNotContain("six", "seven", "remoteDelete");
        gateway.taking(message -> FakeGateway.admitted());
        until("it is taken", () -> spooled().isEmpty());
        assertThat(gateway.received())
                .last()
                .satisfies(message -> assertThat(message.context())
                        .extracting(PrecedingMessage::text)
                        .containsExactly("We meet at seven."));
    }

    @Test
    void whatIsDeletedAndWhatIsReactedToIsHandedInInOrder() throws Exception {
        started();
        long first = signal.write(ADA, "first");
        long edit = signal.edit(ADA, first, "second");
        signal.delete(ADA, edit);
        signal.react(ADA, ACCOUNT, 77, "👍");
        signal.offerRaw("[" + event(1, "in a batch") + "," + event(2, "of two") + "]");

        until("all came", () -> gateway.texts().contains("of two"));
        assertThat(gateway.texts()).containsExactly("first", "in a batch", "of two");
        String id = ADAS_UUID + ":" + first;
        assertThat(gateway.happened())
                .extracting(Happened::event)
                .containsExactly(
                        new ChatEvent.Edited(id, "second"),
                        new ChatEvent.Deleted(id),
                        new ChatEvent.Reacted(ACCOUNT + ":77", "👍", false));
    }

    private static String event(long timestamp, String text) {
        return "{\"envelope\":{\"source\":\"" + ADA + "\",\"dataMessage\":{\"timestamp\":" + timestamp
                + ",\"message\":\"" + text + "\"}},\"account\":\"" + ACCOUNT + "\"}";
    }

    @Test
    void whatCannotBeStoredWaitsInTheHome() throws Exception {
        gateway.taking(message -> CompletableFuture.completedFuture(new Receipt.Unavailable("full")));
        started();
        signal.write(ADA, "first");
        signal.write(ADA, "second");

        until(
                "both wait",
                () -> signal.waiting() == 0
                        && !gateway.texts().isEmpty()
                        && spooled().contains("second"));
        assertThat(spooled()).contains("first");
        assertThat(gateway.texts().stream().distinct()).containsExactly("first");
        assertThat(signal.listening()).isEqualTo(1);

        gateway.taking(message -> FakeGateway.admitted());
        until("all is stored", () -> gateway.texts().contains("second"));
        assertThat(gateway.texts().stream().distinct()).containsExactly("first", "second");
        until("the spool is empty", () -> spooled().isEmpty());
    }

    @Test
    void whatAnEarlierProcessLeftIsHandedInFirst() throws Exception {
        gateway.taking(message -> CompletableFuture.completedFuture(new Receipt.Unavailable("full")));
        ChatPlatform first = started();
        signal.write(ADA, "left");
        until("it is in the home", () -> gateway.texts().contains("left"));
        first.stop();
        signal.stop();
        Files.writeString(spool(), spooled() + "{\"envelope\":{\"cut o", StandardCharsets.UTF_8);
        signal.write(ADA, "new");
        int before = gateway.texts().size();

        gateway.taking(message -> FakeGateway.admitted());
        started();
        until("what was left is stored", () -> spooled().isEmpty());
        signal.start();

        until("the new one came", () -> gateway.texts().contains("new"));
        assertThat(gateway.texts().subList(before, gateway.texts().size())).containsExactly("left", "new");
        assertThat(gateway.warnings()).anyMatch(line -> line.contains("was cut off"));
    }

    @Test
    void onlyTheOwnerReadsTheSpool() throws Exception {
        started();

        assertThat(Files.getPosixFilePermissions(spool()))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        assertThat(Files.getPosixFilePermissions(spool().getParent()))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void aFullLaneHoldsUpNoOtherChat() throws Exception {
        String bob = "+15550102";
        signal.person(bob, "uuid-of-bob", "Bob");
        gateway.taking(message -> message.source().chatId().equals(ADA)
                ? CompletableFuture.completedFuture(new Receipt.TurnedAway("full", Optional.empty()))
                : FakeGateway.admitted());
        started();
        signal.write(ADA, "turned away");
        until("it was turned away", () -> gateway.texts().contains("turned away"));
        signal.write(bob, "taken");

        until("the other came", () -> gateway.texts().contains("taken"));
        gateway.taking(message -> FakeGateway.admitted());
        until("the spool is empty", () -> spooled().isEmpty());
    }

    @Test
    void eventsThatCannotBeReadHoldUpNothing() throws Exception {
        signal.offerRaw("no json");
        signal.offerRaw("{\"envelope\":{\"source\":\"+15550101\",\"dataMessage\":{\"message\":\"secret words\"}}}");
        signal.offerRaw("{\"envelope\":{\"source\":\"+15550101\",\"typingMessage\":{}}}");
        signal.write(ADA, "readable");
        started();

        until("it came", () -> gateway.texts().contains("readable"));
        assertThat(gateway.warnings())
                .hasSize(2)
                .allMatch(line -> line.startsWith("platforms.signal: An event of signal-cli was left out: "))
                .noneMatch(line -> line.contains("secret words"));
    }

    @Test
    void aStreamThatBreaksWithinAnEventIsTold() throws Exception {
        started();
        until("it listens", () -> signal.listening() == 1);
        signal.breakWithinEvent(ADA, "half of this is gone");
        signal.write(ADA, "next");

        until("the next came", () -> gateway.texts().contains("next"));
        assertThat(gateway.texts()).containsExactly("next");
        assertThat(gateway.warnings()).anyMatch(line -> line.contains("broke within an event: a message may be lost"));
    }

    @Test
    void aSilentStreamIsOpenedAgain() throws Exception {
        // The account is asked for twice before the first stream is opened.
        signal.plan(number -> number == 3 ? new Fault.HalfOpen(0) : new Fault.None());
        started();
        signal.write(ADA, "behind the silence");

        until("it came", () -> gateway.texts().contains("behind the silence"));
    }

    @Test
    void filesOfMessagesAreFetched() throws Exception {
        byte[] content = "a picture".repeat(9_000).getBytes(StandardCharsets.UTF_8);
        KeptInMemory media = new KeptInMemory();
        gateway.media(media);
        signal.file("abc.jpg", content);
        started();
        signal.write(ADA, "look", message -> attachments(message, "abc.jpg", "gone.jpg"));

        until("it came", () -> !gateway.received().isEmpty());
        List<Attachment> files = gateway.received().get(0).attachments();
        assertThat(files).hasSize(2);
        assertThat(files.get(0).isPhoto()).isTrue();
        assertThat(media.kept).singleElement().isEqualTo(content);
        assertThat(files.get(1).description()).contains("The photo could not be fetched.");
        try (var left = Files.list(home.resolve("signal"))) {
            assertThat(left.map(file -> file.getFileName().toString())).containsExactly("spool-15550100.jsonl");
        }
    }

    private static void attachments(ObjectNode message, String... ids) {
        for (String id : ids) {
            message.withArray("attachments")
                    .addObject()
                    .put("id", id)
                    .put("contentType", "image/jpeg")
                    .put("filename", id);
        }
    }

    @Test
    void aNoteToSelfIsAnsweredAndTheAnswerIsNotTakenForANote() throws Exception {
        SendingInParts platform = (SendingInParts) started();
        signal.writeElsewhere(ACCOUNT, "note");
        until("it came", () -> gateway.texts().contains("note"));

        Sent sent = platform.sendPart(text(ACCOUNT, "answer"));
        long timestamp = Long.parseLong(
                sent.messageIds().get(0).substring(sent.messageIds().get(0).lastIndexOf(':') + 1));
        assertThat(sent.messageIds()).containsExactly(ACCOUNT + ":" + timestamp);
        ObjectNode echo = (ObjectNode) new com.fasterxml.jackson.databind.ObjectMapper()
                .readTree("{\"source\":\"" + ACCOUNT + "\",\"sourceNumber\":\"" + ACCOUNT
                        + "\",\"syncMessage\":{\"sentMessage\":{\"destinationNumber\":\"" + ACCOUNT
                        + "\",\"timestamp\":"
                        + timestamp + ",\"message\":\"answer\"}}}");
        signal.offer(echo);
        signal.writeElsewhere(ACCOUNT, "answer");
        signal.writeElsewhere(ADA, "to somebody else");
        signal.writeElsewhere(ACCOUNT, "last");

        until("the last came", () -> gateway.texts().contains("last"));
        assertThat(gateway.texts()).containsExactly("note", "answer", "last");
    }

    // starting and stopping

    @Test
    void anAccountThatTheDaemonDoesNotHaveStopsTheStart() {
        ChatPlatform platform = made(Map.of("account", "+15550199"));

        assertThatThrownBy(() -> platform.start(gateway))
                .isInstanceOf(InvalidRequest.class)
                .hasMessage("signal-cli does not have the account in platforms.signal.account; register or link it with"
                        + " signal-cli, or correct the number, and check platforms.signal.base_url where that is set.");
        assertThat(signal.listening()).isZero();
    }

    @Test
    void aDaemonForOneAccountIsNotAskedForIt() throws Exception {
        signal.serveOneAccount();
        started();
        signal.write(ADA, "hello");

        until("it came", () -> gateway.texts().contains("hello"));
    }

    @Test
    void aDaemonThatIsAwayIsReachedLater() throws Exception {
        signal.stop();
        ChatPlatform platform = started();
        until("it is told", () -> ((Diagnosing) platform).ailment().isPresent());
        assertThat(((Diagnosing) platform).ailment().orElseThrow().advice())
                .contains("signal-cli daemon --http --receive-mode=on-connection");
        assertThat(gateway.connections()).isEmpty();

        signal.start();
        signal.write(ADA, "late");
        until("it came", () -> gateway.texts().contains("late"));
        assertThat(gateway.connections()).containsExactly("connected");
        assertThat(((Diagnosing) platform).ailment()).isEmpty();
        assertThat(gateway.warnings())
                .filteredOn(line -> line.contains("trying again"))
                .hasSize(1);
    }

    @Test
    void aStoppedAccountNeitherListensNorSends() throws Exception {
        SendingInParts platform = (SendingInParts) started();
        until("it listens", () -> signal.listening() == 1);

        platform.stop();

        signal.write(ADA, "too late");
        until("it does not listen", () -> signal.listening() == 0 || signal.waiting() == 0);
        assertThat(gateway.texts()).isEmpty();
        assertThatThrownBy(() -> platform.sendPart(text(ADA, "x")))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.isPermanent()).isFalse());
        assertThatCode(platform::stop).doesNotThrowAnyException();
    }

    // sending

    @Test
    void markdownBecomesStylesInUnitsOfUtf16() throws Exception {
        SendingInParts platform = (SendingInParts) started();

        platform.sendPart(text(ADA, "😀 **bold** *it* ~~no~~ `x` [here](https://example.org/)\n\n> said"));

        Shown shown = signal.shown(ADA).get(0);
        assertThat(shown.text()).isEqualTo("😀 bold it no x here (https://example.org/)\n\n> said");
        assertThat(shown.styles())
                .containsExactlyInAnyOrder("3:4:BOLD", "8:2:ITALIC", "11:2:STRIKETHROUGH", "14:1:MONOSPACE");
    }

    @Test
    void anAnswerQuotesWhatItRepliesToInItsGroup() throws Exception {
        signal.group("dGVhbQ==", "Team");
        SendingInParts platform = (SendingInParts) started();

        platform.sendPart(
                outgoing(TEAM, "yes").replyTo(ADAS_UUID + ":1790000000123").build());

        assertThat(signal.shown(TEAM))
                .singleElement()
                .satisfies(shown -> assertThat(shown.quotes()).contains(1_790_000_000_123L));
        assertThat(sends().get(0).path("quoteAuthor").asText()).isEqualTo(ADAS_UUID);
        assertThat(sends().get(0).path("account").asText()).isEqualTo(ACCOUNT);
    }

    @Test
    void aLongTextComesWholeAndInOrder() throws Exception {
        String text = IntStream.range(0, 4_000).mapToObj(i -> "word" + i).collect(Collectors.joining(" "));
        SendingInParts platform = (SendingInParts) started();

        platform.send(text(ADA, text));

        List<Shown> shown = signal.shown(ADA);
        assertThat(shown).hasSizeGreaterThan(3).allMatch(part -> part.text().length() <= 8_000);
        assertThat(shown.stream().map(Shown::text).collect(Collectors.joining(" ")))
                .isEqualTo(text);
    }

    @Test
    void aRetryContinuesBehindThePartThatWasTaken() throws Exception {
        SendingInParts platform = (SendingInParts) started();
        Outgoing message = text(ADA, "a".repeat(7_000) + "\n\n" + "b".repeat(7_000));
        Sent first = platform.sendPart(message);
        assertThat(first.more()).isTrue();

        Sent second = platform.sendPart(message.sent(new SentPart(1, first.messageIds())));

        assertThat(second.more()).isFalse();
        assertThat(signal.shown(ADA))
                .extracting(shown -> shown.text().charAt(0))
                .containsExactly('a', 'b');
    }

    @Test
    void filesAreSentWithTheText() throws Exception {
        Path file = Files.writeString(home.resolve("a, b.txt"), "content");
        SendingInParts platform = (SendingInParts) started();

        platform.sendPart(outgoing(ADA, "here")
                .attachments(List.of(new Attachment(
                        "document", file.toString(), Optional.of("a, b.txt"), Optional.of("text/plain"))))
                .build());

        assertThat(signal.shown(ADA))
                .singleElement()
                .satisfies(shown -> assertThat(shown.attachments())
                        .containsExactly("data:text/plain;filename=a__b.txt;base64,Y29udGVudA=="));
    }

    @Test
    void whereAFileIsGoneTheTextSaysSo() throws Exception {
        SendingInParts platform = (SendingInParts) started();

        platform.sendPart(outgoing(ADA, "here")
                .attachments(List.of(new Attachment(
                        "document", home.resolve("gone").toString(), Optional.of("a.txt"), Optional.of("text/plain"))))
                .build());

        assertThat(signal.shown(ADA)).singleElement().satisfies(shown -> {
            assertThat(shown.text()).isEqualTo("here\n\n[a.txt: this file is not kept any more.]");
            assertThat(shown.attachments()).isEmpty();
        });
    }

    @ParameterizedTest
    @CsvSource({
        "RATE_LIMIT_FAILURE, -5, RATE_LIMITED",
        "PROOF_REQUIRED_FAILURE, -5, RATE_LIMITED",
        "UNREGISTERED_FAILURE, -1, CHAT_GONE",
        "IDENTITY_FAILURE, -4, AWAY",
        "INVALID_PRE_KEY_FAILURE, -1, AWAY",
    })
    void eachRefusalHasItsKind(String type, int code, DeliveryFailed.Kind kind) throws Exception {
        SendingInParts platform = (SendingInParts) started();
        signal.failRecipients("send", code, "Failed to send message", result -> result.put("type", type));

        assertThatThrownBy(() -> platform.sendPart(text(ADA, "x"))).isInstanceOfSatisfying(DeliveryFailed.class, e -> {
            assertThat(e.kind()).isEqualTo(kind);
            assertThat(e.getMessage()).doesNotContain(ADA);
        });
        assertThat(platform.sendPart(text(ADA, "y")).messageIds()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        -1     | Failed to send to group: Group not found: x        | CHAT_GONE
        -1     | Failed to send to group: User is not a group member | FORBIDDEN
        -1     | Unregistered user "+15550101"                      | CHAT_GONE
        -1     | Invalid quote author                               | REJECTED
        -5     | Rate limit reached                                 | RATE_LIMITED
        -32602 | Specified account does not exist                   | UNAUTHORIZED
        -32600 | Cannot deserialize value                           | REJECTED
        -32601 | Method not implemented                             | AWAY
        """)
    void eachErrorHasItsKind(int code, String message, DeliveryFailed.Kind kind) throws Exception {
        SendingInParts platform = (SendingInParts) started();
        signal.fail("send", code, message);

        assertThatThrownBy(() -> platform.sendPart(text(ADA, "x"))).isInstanceOfSatisfying(DeliveryFailed.class, e -> {
            assertThat(e.kind()).isEqualTo(kind);
            assertThat(e.getMessage()).doesNotContain(ADA);
        });
    }

    @Test
    void aPauseThatSignalAsksForHoldsForEverybody() throws Exception {
        SendingInParts platform = (SendingInParts) started();
        signal.limit("send", Duration.ofSeconds(35));

        assertRateLimited(
                () -> platform.sendPart(text(ADA, "x")),
                pause -> assertThat(pause).contains(Duration.ofSeconds(35)));
        assertRateLimited(
                () -> platform.sendPart(text("+15550102", "y")),
                pause -> assertThat(pause).contains(Duration.ofSeconds(35)));
        assertThat(sends()).hasSize(1);
        gateway.now(gateway.now().plusSeconds(35));
        assertThat(platform.sendPart(text(ADA, "x")).messageIds()).hasSize(1);
    }

    private static void assertRateLimited(
            org.assertj.core.api.ThrowableAssert.ThrowingCallable send, Consumer<Optional<Duration>> pause) {
        assertThatThrownBy(send).isInstanceOfSatisfying(DeliveryFailed.class, e -> {
            assertThat(e.kind()).isEqualTo(DeliveryFailed.Kind.RATE_LIMITED);
            pause.accept(e.retryAfter());
        });
    }

    @Test
    void aProofThatSignalAsksForIsToldToTheOperator() throws Exception {
        SendingInParts platform = (SendingInParts) started();
        signal.failRecipients(
                "send",
                -5,
                "Failed to send message",
                result -> result.put("type", "RATE_LIMIT_FAILURE")
                        .put("token", "challenge-1")
                        .put("retryAfterSeconds", 86_400));

        assertThatThrownBy(() -> platform.sendPart(text(ADA, "x")))
                .hasMessageContaining("submitRateLimitChallenge with --challenge challenge-1");
        assertThat(gateway.warnings()).anyMatch(line -> line.contains("--challenge challenge-1"));
    }

    @Test
    void anAnswerThatIsCutOffLeavesTheOutcomeOpen() throws Exception {
        SendingInParts platform = (SendingInParts) started();
        until("it listens", () -> signal.listening() == 1);
        signal.plan(number -> new Fault.CutAnswer(130));
        assertThatThrownBy(() -> platform.sendPart(text(ADA, "x"))).isInstanceOf(OutcomeUnknown.class);
        assertThat(signal.shown(ADA)).hasSize(1);

        signal.plan(number -> new Fault.None());
        signal.failRecipients("send", -1, "Failed to send message", result -> result.put("type", "NETWORK_FAILURE"));
        assertThatThrownBy(() -> platform.sendPart(text(ADA, "y"))).isInstanceOf(OutcomeUnknown.class);

        signal.stop();
        assertThatThrownBy(() -> platform.sendPart(text(ADA, "z")))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.kind()).isEqualTo(DeliveryFailed.Kind.AWAY));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"result\":RESULT,\"error\":null,\"id\":ID}",
                "{\"jsonrpc\":\"2.0\",\"result\":RESULT,\"id\":\"ID\"}",
                "[{\"jsonrpc\":\"2.0\",\"result\":RESULT,\"id\":ID}]",
                "[{\"jsonrpc\":\"2.0\",\"method\":\"receive\",\"params\":{}},{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-1},"
                        + "\"id\":\"other\"},{\"id\":ID,\"result\":RESULT}]",
            })
    void anAnswerIsReadInEveryFormThatItMayHave(String form) throws Exception {
        SendingInParts platform = (SendingInParts) started();
        signal.reword(answer -> reworded(form, answer));

        assertThat(platform.sendPart(text(ADA, "x")).messageIds())
                .containsExactly(ACCOUNT + ":" + signal.shown(ADA).get(0).timestamp());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"result\":RESULT,\"id\":\"other\"}",
                "[{\"jsonrpc\":\"2.0\",\"result\":RESULT,\"id\":\"other\"}]",
                "[]",
                "{\"jsonrpc\":\"2.0\",\"method\":\"receive\",\"params\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":ID}",
            })
    void whatAnswersAnotherCallOrNothingLeavesTheOutcomeOpen(String form) throws Exception {
        SendingInParts platform = (SendingInParts) started();
        signal.reword(answer -> reworded(form, answer));

        assertThatThrownBy(() -> platform.sendPart(text(ADA, "x"))).isInstanceOf(OutcomeUnknown.class);
    }

    @Test
    void anErrorBesideAResultIsAnError() throws Exception {
        SendingInParts platform = (SendingInParts) started();
        signal.reword(answer -> reworded(
                "{\"jsonrpc\":\"2.0\",\"result\":null,\"error\":{\"code\":-1,\"message\":\"Unregistered user\"},\"id\":ID}",
                answer));

        assertThatThrownBy(() -> platform.sendPart(text(ADA, "x")))
                .isInstanceOfSatisfying(
                        DeliveryFailed.class, e -> assertThat(e.kind()).isEqualTo(DeliveryFailed.Kind.CHAT_GONE));
    }

    @Test
    void aMessageForWhichTheDaemonSaysNoTimeHasNoName() throws Exception {
        SendingInParts platform = (SendingInParts) started();
        signal.reword(answer -> reworded("{\"jsonrpc\":\"2.0\",\"result\":{},\"id\":ID}", answer));

        Sent sent = platform.sendPart(text(ADA, "x"));

        assertThat(sent).isEqualTo(Sent.UNNAMED);
    }

    private static String reworded(String form, String answer) {
        try {
            JsonNode said = new com.fasterxml.jackson.databind.ObjectMapper().readTree(answer);
            return form.replace("RESULT", said.path("result").toString())
                    .replace("ID", said.path("id").toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void typingIsShownAndEnded() throws Exception {
        Typing platform = (Typing) started();

        platform.typing(to(ADA), true);
        platform.typing(to(ADA), false);

        assertThat(calls("sendTyping")).hasSize(2);
        assertThat(calls("sendTyping").get(0).has("stop")).isFalse();
        assertThat(calls("sendTyping").get(1).path("stop").asBoolean()).isTrue();
    }

    private List<JsonNode> sends() {
        return calls("send");
    }

    private List<JsonNode> calls(String method) {
        return signal.calls().stream()
                .filter(call -> call.method().equals(method))
                .map(FakeSignal.Call::parameters)
                .toList();
    }

    private Outgoing text(String chat, String text) {
        return outgoing(chat, text).build();
    }

    private Outgoing.Builder outgoing(String chat, String text) {
        return Outgoing.builder(new OutgoingId("o-1"), to(chat), text, Outgoing.Kind.REPLY, gateway.now());
    }

    private static Address to(String chat) {
        return Address.of(Platform.of("signal"), chat);
    }

    /** Keeps files in memory. */
    private static final class KeptInMemory implements MediaStore {
        private final List<byte[]> kept = new CopyOnWriteArrayList<>();

        @Override
        public Attachment keep(InputStream content, Attachment named) {
            try {
                kept.add(content.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return new Attachment(named.kind(), "/kept/" + kept.size(), named.name(), named.mediaType());
        }

        @Override
        public InputStream open(Attachment attachment) {
            throw new AssertionError("not asked for here");
        }

        @Override
        public long largest() {
            return 100L << 20;
        }
    }
}
