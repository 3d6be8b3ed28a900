package dev.parley.adapter.kit.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.adapter.kit.flow.ChatOrder.Item;
import dev.parley.adapter.kit.flow.ChatOrder.Outcome;
import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.application.port.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ChatOrderTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> warnings = new ArrayList<>();
    private final List<String> handedIn = new ArrayList<>();
    private final ChatOrder order = new ChatOrder(SECOND, warnings::add);

    private Item item(String chat, String id, CompletableFuture<Settlement> settlement) {
        return new Item(chat, id, () -> {
            handedIn.add(id);
            return settlement;
        });
    }

    private Item item(String chat, String id, Settlement settlement) {
        return item(chat, id, CompletableFuture.completedFuture(settlement));
    }

    private Outcome take(Item... items) {
        return order.take(List.of(items)).toCompletableFuture().join();
    }

    @Test
    void withinAChatTheNextWaitsForTheOneBeforeAndOtherChatsDoNot() {
        CompletableFuture<Settlement> first = new CompletableFuture<>();
        CompletableFuture<Outcome> outcome = order.take(List.of(
                        item("a", "a1", first), item("a", "a2", Settlement.DONE), item("b", "b1", Settlement.DONE)))
                .toCompletableFuture();
        assertThat(handedIn).containsExactly("a1", "b1");
        assertThat(outcome).isNotDone();

        first.complete(Settlement.DONE);

        assertThat(handedIn).containsExactly("a1", "b1", "a2");
        assertThat(outcome.join()).isEqualTo(new Outcome(3, Optional.empty()));
    }

    @Test
    void behindWhatIsPutOffNothingOfItsChatIsHandedInAndWhatIsSettledIsNotAgain() {
        Settlement later = Settlement.later(Duration.ofSeconds(5));
        Outcome outcome = take(
                item("b", "b1", Settlement.DONE),
                item("a", "a1", later),
                item("a", "a2", Settlement.DONE),
                item("b", "b2", Settlement.DONE));
        assertThat(outcome).isEqualTo(new Outcome(1, Optional.of(Duration.ofSeconds(5))));
        assertThat(handedIn).containsExactly("b1", "a1", "b2");

        Outcome again = take(
                item("b", "b1", Settlement.DONE),
                item("a", "a1", Settlement.DONE),
                item("a", "a2", Settlement.DONE),
                item("b", "b2", Settlement.DONE),
                item("b", "b3", Settlement.DONE));

        assertThat(again).isEqualTo(new Outcome(5, Optional.empty()));
        assertThat(handedIn).containsExactly("b1", "a1", "b2", "a1", "a2", "b3");
    }

    @Test
    void whatMakesTheGatewayFailIsLeftOutTheThirdTime() {
        Item poison = new Item("a", "a1", () -> {
            throw new IllegalStateException("what people wrote");
        });
        assertThat(take(poison).pause()).contains(SECOND);
        assertThat(take(poison).pause()).contains(SECOND);

        assertThat(take(poison)).isEqualTo(new Outcome(1, Optional.empty()));
        assertThat(warnings)
                .containsExactly("a1 was left out: the gateway failed with it, with a IllegalStateException.");
    }

    @Test
    void receiptsSayWhatIsSettledAndWhatComesAgain() {
        assertThat(Settlement.of(new Receipt.Refused("no"), SECOND)).isEqualTo(Settlement.DONE);
        assertThat(Settlement.of(new Receipt.Unavailable("full"), SECOND)).isEqualTo(Settlement.later(SECOND));
        assertThat(Settlement.of(new Receipt.TurnedAway("many", Optional.of(Duration.ofSeconds(9))), SECOND))
                .isEqualTo(Settlement.later(Duration.ofSeconds(9)));
    }
}
