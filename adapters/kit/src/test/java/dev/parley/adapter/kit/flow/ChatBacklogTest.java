package dev.parley.adapter.kit.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.application.port.Ids;
import dev.parley.application.port.Timers;
import dev.parley.application.replay.SeededIds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class ChatBacklogTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> handedIn = new ArrayList<>();
    private final List<String> settledInChat = new ArrayList<>();
    private final List<String> settledOffers = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();
    private final Map<String, Deque<CompletableFuture<Settlement>>> settlements = new LinkedHashMap<>();
    private final List<Runnable> later = new ArrayList<>();
    private final List<Duration> pauses = new ArrayList<>();
    private List<String> history = List.of();
    private Optional<LookupFailed> noHistory = Optional.empty();
    private boolean listening = true;
    private boolean room = true;
    private ChatBacklog.Room withoutRoom = ChatBacklog.Room.AGAIN;
    private int looks;

    private final ChatBacklog<String, String> backlog = new ChatBacklog<>(new Letters(), new Here(), SECOND);

    /** A chat in which letters are told, in the order of the alphabet. */
    private final class Letters implements ChatBacklog.Chat<String, String> {
        @Override
        public String id(String told) {
            return told;
        }

        @Override
        public boolean isBefore(String told, String other) {
            return told.compareTo(other) < 0;
        }

        @Override
        public ChatBacklog.Room room(String told, boolean more) {
            return more ? ChatBacklog.Room.WAITS : withoutRoom;
        }

        @Override
        public List<String> written() throws LookupFailed {
            if (noHistory.isPresent()) {
                throw noHistory.get();
            }
            return history;
        }

        @Override
        public String read(String told) {
            return "read " + told;
        }

        @Override
        public CompletionStage<Settlement> handIn(String told, String read) {
            handedIn.add(told);
            Deque<CompletableFuture<Settlement>> planned = settlements.getOrDefault(told, new ArrayDeque<>());
            return planned.isEmpty() ? CompletableFuture.completedFuture(Settlement.DONE) : planned.remove();
        }

        @Override
        public void settled(String told, String read) {
            settledInChat.add(read);
        }

        @Override
        public String leftOut(String told, Throwable failure) {
            leftOut.add(told);
            return "nothing of " + told;
        }
    }

    /** Does everything at once but what is for later. */
    private final class Here implements ChatBacklog.Host {
        @Override
        public boolean isListening() {
            return listening;
        }

        @Override
        public boolean isStopped() {
            return false;
        }

        @Override
        public boolean hasRoom() {
            return room;
        }

        @Override
        public void waits(int change) {}

        @Override
        public void lookInto(ChatBacklog<?, ?> looked) {
            looks++;
            try {
                looked.look();
            } catch (LookupFailed e) {
                return;
            }
            looked.next();
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public Timers.Timer after(Duration time, Runnable task) {
            pauses.add(time);
            later.add(task);
            return () -> later.remove(task);
        }

        @Override
        public Ids ids() {
            return new SeededIds(1);
        }
    }

    private void take(String... told) {
        for (String each : told) {
            backlog.take(each, () -> settledOffers.add(each));
        }
    }

    private CompletableFuture<Settlement> plan(String told) {
        CompletableFuture<Settlement> settlement = new CompletableFuture<>();
        settlements.computeIfAbsent(told, each -> new ArrayDeque<>()).add(settlement);
        return settlement;
    }

    private void passTime() {
        List<Runnable> due = List.copyOf(later);
        later.clear();
        due.forEach(Runnable::run);
    }

    @Test
    void whatWasWrittenInAnAbsenceIsHandedInBeforeWhatIsToldNow() {
        history = List.of("a", "b");

        take("c");

        assertThat(handedIn).containsExactly("a", "b", "c");
        assertThat(settledOffers).containsExactly("c");
    }

    @Test
    void oneThingIsHandedInAtATimeAndInOrder() {
        CompletableFuture<Settlement> first = plan("a");

        take("a", "c", "b");
        assertThat(handedIn).containsExactly("a");
        assertThat(settledOffers).isEmpty();

        first.complete(Settlement.DONE);
        assertThat(handedIn).containsExactly("a", "b", "c");
        assertThat(settledOffers).containsExactly("a", "b", "c");
    }

    @Test
    void whatIsToldTwiceIsHandedInOnceAndSettledTwice() {
        CompletableFuture<Settlement> first = plan("a");

        take("a", "a");
        first.complete(Settlement.DONE);
        take("a");

        assertThat(handedIn).containsExactly("a");
        assertThat(settledOffers).containsExactly("a", "a", "a");
    }

    @Test
    void whatCannotBeStoredNowIsHandedInAgainBeforeAnythingElse() {
        plan("a").complete(Settlement.later(Duration.ofMinutes(1)));

        take("a", "b");
        assertThat(handedIn).containsExactly("a");
        assertThat(pauses).containsExactly(Duration.ofMinutes(1));

        passTime();
        assertThat(handedIn).containsExactly("a", "a", "b");
        assertThat(settledOffers).containsExactly("a", "b");
    }

    @Test
    void whatMakesTheGatewayFailThreeTimesIsLeftOutAndTheNextGoesOn() {
        for (int i = 0; i < 3; i++) {
            plan("a").completeExceptionally(new IllegalStateException("broken"));
        }

        take("a", "b");
        passTime();
        passTime();

        assertThat(handedIn).containsExactly("a", "a", "a", "b");
        assertThat(leftOut).containsExactly("a");
        assertThat(settledInChat).containsExactly("nothing of a", "read b");
        assertThat(settledOffers).containsExactly("a", "b");
        assertThat(pauses).allSatisfy(pause -> assertThat(pause).isGreaterThanOrEqualTo(SECOND));
    }

    @Test
    void withoutRoomWhatIsLeftToTheHistoryIsSettledOnceThatHasToldOfIt() {
        withoutRoom = ChatBacklog.Room.IN_HISTORY;
        CompletableFuture<Settlement> first = plan("a");
        take("a");
        room = false;
        take("b");
        room = true;
        take("c");
        assertThat(settledOffers).isEmpty();

        history = List.of("a", "b", "c");
        first.complete(Settlement.DONE);

        assertThat(handedIn).containsExactly("a", "b", "c");
        assertThat(settledOffers).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(looks).isEqualTo(2);
    }

    @Test
    void withoutRoomWhatIsToldAgainIsNotSettled() {
        CompletableFuture<Settlement> first = plan("a");
        take("a");
        room = false;
        take("b");
        room = true;

        first.complete(Settlement.DONE);
        assertThat(settledOffers).containsExactly("a");

        take("b");
        assertThat(handedIn).containsExactly("a", "b");
        assertThat(settledOffers).containsExactly("a", "b");
    }

    @Test
    void nothingIsHandedInWhileTheHistoryCannotBeRead() throws LookupFailed {
        noHistory = Optional.of(new LookupFailed(new IOException("away")));
        take("b");
        assertThat(handedIn).isEmpty();
        assertThatThrownBy(backlog::look).isInstanceOf(LookupFailed.class);

        noHistory = Optional.empty();
        history = List.of("a");
        backlog.look();
        backlog.next();

        assertThat(handedIn).containsExactly("a", "b");
    }

    @Test
    void nothingIsHandedInWhileNobodyListens() {
        listening = false;
        take("b");
        assertThat(handedIn).isEmpty();

        listening = true;
        history = List.of("a");
        backlog.absent(true);
        backlog.next();

        assertThat(handedIn).containsExactly("a", "b");
    }

    @Test
    void onceStoppedNothingIsTriedAgain() {
        plan("a").complete(Settlement.later(SECOND));
        take("a", "b");

        backlog.stop();

        assertThat(later).isEmpty();
        assertThat(backlog.isWaitedFor()).isFalse();
        assertThat(handedIn).containsExactly("a");
    }
}
