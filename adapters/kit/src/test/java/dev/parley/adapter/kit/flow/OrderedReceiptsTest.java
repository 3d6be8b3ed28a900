package dev.parley.adapter.kit.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Receipt;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OrderedReceiptsTest {
    private final List<Integer> settled = new ArrayList<>();
    private final List<Integer> unavailable = new ArrayList<>();
    private final OrderedReceipts<Integer> receipts = new OrderedReceipts<>(3, settled::add, unavailable::add);

    @Test
    void aPlaceIsPassedOnlyAfterEverythingBeforeIt() {
        CompletableFuture<Receipt> first = open(1);
        CompletableFuture<Receipt> second = open(2);

        second.complete(new Receipt.Refused("not allowed"));
        assertThat(settled).isEmpty();

        first.complete(new Receipt.Refused("not allowed"));
        assertThat(settled).containsExactly(1, 2);
        assertThat(receipts.isIdle()).isTrue();
    }

    @Test
    void nothingBehindAMessageThatCannotBeStoredIsPassed() {
        CompletableFuture<Receipt> first = open(1);
        CompletableFuture<Receipt> second = open(2);

        second.complete(new Receipt.Refused("not allowed"));
        first.complete(new Receipt.Unavailable("full"));

        assertThat(settled).isEmpty();
        assertThat(unavailable).containsExactly(1);
        assertThat(receipts.hasRoom()).isFalse();
    }

    @Test
    void aReceiptThatFailsCountsAsNotStored() {
        open(1).completeExceptionally(new IllegalStateException("broken"));

        assertThat(unavailable).containsExactly(1);
    }

    @Test
    void afterClearingWhatIsOfferedAgainCountsAndLateReceiptsDoNot() {
        CompletableFuture<Receipt> late = open(1);
        receipts.clear();
        CompletableFuture<Receipt> again = open(1);

        late.complete(new Receipt.Refused("late"));
        assertThat(settled).isEmpty();

        again.complete(new Receipt.Refused("not allowed"));
        assertThat(settled).containsExactly(1);
    }

    @Test
    void thereIsRoomForSoManyAtOnce() {
        assertThat(open(1)).isNotDone();
        assertThat(open(2)).isNotDone();
        assertThat(receipts.hasRoom()).isTrue();
        assertThat(open(3)).isNotDone();
        assertThat(receipts.hasRoom()).isFalse();
    }

    private CompletableFuture<Receipt> open(int place) {
        CompletableFuture<Receipt> receipt = new CompletableFuture<>();
        receipts.add(place, receipt);
        return receipt;
    }
}
