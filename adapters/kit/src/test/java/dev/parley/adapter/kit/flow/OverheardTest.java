package dev.parley.adapter.kit.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Happened;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.MediaStore;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.PlatformSources;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.PrecedingMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class OverheardTest {
    private static final Instant NOON = Instant.parse("2026-03-10T12:00:00Z");

    private final Gateway gateway = new Gateway();
    private Instant now = NOON;
    private HandingIn handing = handing(true);

    @Test
    void whatWasNotForTheAgentGoesWithWhatIsOnce() {
        overhear("g1", "ada", "1", "We meet at six.");
        overhear("g1", "bob", "2", "Or at seven?");

        say("g1", "ada", "3", "when do we meet?");
        say("g1", "ada", "4", "and where?");

        assertThat(gateway.context(0)).containsExactly("ada: We meet at six.", "bob: Or at seven?");
        assertThat(gateway.context(1)).isEmpty();
    }

    @Test
    void eachChatAndThreadHasItsOwn() {
        overhear("g1", "ada", "1", "in the chat");
        overhear("g1/7", "ada", "2", "in the thread");
        overhear("g2", "ada", "3", "elsewhere");

        say("g1/7", "ada", "4", "hello");

        assertThat(gateway.context(0)).containsExactly("ada: in the thread");
    }

    @Test
    void whatSomebodySaidWhoMayNotTalkIsNotKept() {
        overhear("g1", "eve", "1", "a secret of eve");
        overhear("g1", "ada", "2", "hello");

        say("g1", "ada", "3", "hm?");

        assertThat(gateway.context(0)).containsExactly("ada: hello");
    }

    @Test
    void whereItIsSwitchedOffNothingIsKeptAndNobodyIsAsked() {
        handing = handing(false);
        overhear("g1", "ada", "1", "hello");

        say("g1", "ada", "2", "hm?");

        assertThat(gateway.context(0)).isEmpty();
        assertThat(gateway.asked).isEmpty();
    }

    @Test
    void whatCouldNotBeStoredComesAgainWithWhatWasSaidBefore() {
        overhear("g1", "ada", "1", "first");
        gateway.receipt = new Receipt.Unavailable("full");
        assertThat(say("g1", "ada", "2", "hm?").again()).isPresent();
        overhear("g1", "ada", "3", "then");
        gateway.receipt = Gateway.ADMITTED;

        say("g1", "ada", "2", "hm?");

        assertThat(gateway.context(1)).containsExactly("ada: first", "ada: then");
    }

    @Test
    void whatSomebodySaysWhoMayNotTalkTakesNothingFromOthers() {
        overhear("g1", "ada", "1", "first");
        gateway.receipt = new Receipt.Refused(Receipt.Reason.NOT_ALLOWED, "no");
        say("g1", "eve", "2", "what did they say?");
        gateway.receipt = Gateway.ADMITTED;

        say("g1", "ada", "3", "hm?");

        assertThat(gateway.context(1)).containsExactly("ada: first");
    }

    @Test
    void aCommandTakesNothing() {
        overhear("g1", "ada", "1", "first");

        say("g1", "ada", "2", "/status");
        say("g1", "ada", "3", "hm?");

        assertThat(gateway.context(0)).isEmpty();
        assertThat(gateway.context(1)).containsExactly("ada: first");
    }

    @Test
    void whatIsOfferedAgainIsKeptOnce() {
        overhear("g1", "ada", "1", "first");
        overhear("g1", "ada", "1", "first");

        say("g1", "ada", "2", "hm?");

        assertThat(gateway.context(0)).containsExactly("ada: first");
    }

    @Test
    void anEditOfItsWriterIsKeptAndOneOfSomebodyElseIsNot() {
        overhear("g1", "ada", "1", "at six");
        overhear("g1", "bob", "2", "fine");
        happened("g1", "ada", new ChatEvent.Edited("1", "at seven"));
        happened("g1", "ada", new ChatEvent.Edited("2", "not fine"));
        happened("g2", "ada", new ChatEvent.Edited("1", "in another chat"));

        say("g1", "ada", "3", "hm?");

        assertThat(gateway.context(0)).containsExactly("ada: at seven", "bob: fine");
    }

    @Test
    void whatIsDeletedIsForgotten() {
        overhear("g1/7", "ada", "1", "too much");
        overhear("g1/7", "ada", "2", "better");
        happened("g1", "ada", new ChatEvent.Deleted("1"));

        say("g1/7", "ada", "3", "hm?");

        assertThat(gateway.context(0)).containsExactly("ada: better");
    }

    @Test
    void whatIsOlderThanADayIsForgotten() {
        overhear("g1", "ada", "1", "yesterday");
        now = NOON.plus(Duration.ofHours(2));
        overhear("g1", "ada", "2", "later");
        now = NOON.plus(Duration.ofHours(25));

        say("g1", "ada", "3", "hm?");

        assertThat(gateway.context(0)).containsExactly("ada: later");
    }

    @Test
    void theLatestFiftyOfAPlaceAreKept() {
        for (int i = 0; i < 60; i++) {
            overhear("g1", "ada", "m" + i, "word " + i);
        }

        say("g1", "ada", "x", "hm?");

        assertThat(gateway.context(0)).hasSize(50).startsWith("ada: word 10").endsWith("ada: word 59");
    }

    @Test
    void longMessagesAreCutBetweenCharactersAndManyOfThemPushOutTheOldest() {
        String longest = "x" + "🦜".repeat(3_000);
        for (int i = 0; i < 20; i++) {
            overhear("g1", "ada", "m" + i, longest);
        }

        say("g1", "ada", "x", "hm?");

        assertThat(gateway.context(0)).hasSize(9).allMatch(("ada: x" + "🦜".repeat(999) + "…")::equals);
    }

    @Test
    void whereVeryMuchIsSaidThePlacesThatWereSilentLongestAreForgotten() {
        String long1 = "x".repeat(2_000);
        for (int chat = 0; chat < 100; chat++) {
            for (int i = 0; i < 9; i++) {
                overhear("g" + chat, "ada", "m" + i, long1);
            }
        }

        say("g0", "ada", "x", "hm?");
        say("g99", "ada", "x", "hm?");

        assertThat(gateway.context(0)).isEmpty();
        assertThat(gateway.context(1)).hasSize(9);
    }

    @Test
    void aFileIsKeptByItsName() {
        overhear(new ReadMessage(
                source("g1", "ada"),
                "",
                List.of(new RemoteFile("f1", "document", Optional.of("plan.pdf"), Optional.empty(), Optional.empty())),
                "1",
                Optional.empty(),
                Optional.empty(),
                false,
                List.of()));

        say("g1", "ada", "2", "what is in it?");

        assertThat(gateway.context(0)).containsExactly("ada: [document: plan.pdf]");
    }

    private HandingIn handing(boolean on) {
        FileFetch files = new FileFetch(
                file -> {
                    throw new AssertionError("nothing is fetched here");
                },
                1,
                MediaStore.NONE,
                line -> {});
        Overheard overheard = new Overheard(on, gateway, () -> now);
        return new HandingIn(files, gateway, Runnable::run, Duration.ofSeconds(1), overheard);
    }

    private void overhear(String place, String person, String id, String text) {
        overhear(message(place, person, id, text));
    }

    private void overhear(ReadMessage message) {
        assertThat(handing.overheard(message).toCompletableFuture().join()).isEqualTo(Settlement.DONE);
    }

    private Settlement say(String place, String person, String id, String text) {
        return handing.message(message(place, person, id, text))
                .toCompletableFuture()
                .join();
    }

    private void happened(String chat, String person, ChatEvent event) {
        handing.happened(new Happened(source(chat, person), event, Optional.empty()))
                .toCompletableFuture()
                .join();
    }

    private static ReadMessage message(String place, String person, String id, String text) {
        return new ReadMessage(
                source(place, person), text, List.of(), id, Optional.empty(), Optional.empty(), false, List.of());
    }

    private static SessionSource source(String place, String person) {
        int slash = place.indexOf('/');
        return PlatformSources.of(Platform.of("fake"))
                .inChat(slash < 0 ? place : place.substring(0, slash))
                .chatType(ChatType.GROUP)
                .threadId(slash < 0 ? null : place.substring(slash + 1))
                .userId(person)
                .userName(person)
                .build();
    }

    /** Lets everybody talk but Eve. */
    private static final class Gateway implements InboundListener {
        static final Receipt ADMITTED =
                new Receipt.Admitted(new InboundId("in-1"), SessionKey.of("agent:main:fake:group:g1"));

        final List<Received> received = new ArrayList<>();
        final List<SessionSource> asked = new ArrayList<>();
        Receipt receipt = ADMITTED;

        List<String> context(int index) {
            return received.get(index).context().stream().map(Gateway::line).toList();
        }

        private static String line(PrecedingMessage said) {
            return said.author().orElse("?") + ": " + said.text();
        }

        @Override
        public CompletionStage<Receipt> receive(Received message, AnswerListener answer) {
            received.add(message);
            return CompletableFuture.completedFuture(receipt);
        }

        @Override
        public CompletionStage<Receipt> happened(Happened what) {
            return CompletableFuture.completedFuture(receipt);
        }

        @Override
        public CompletionStage<Boolean> mayTalk(SessionSource source) {
            asked.add(source);
            return CompletableFuture.completedFuture(!source.userId().equals(Optional.of("eve")));
        }

        @Override
        public void connected(Platform platform) {}

        @Override
        public void disconnected(Platform platform) {}
    }
}
