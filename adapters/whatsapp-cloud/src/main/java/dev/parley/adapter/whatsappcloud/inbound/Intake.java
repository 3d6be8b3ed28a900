package dev.parley.adapter.whatsappcloud.inbound;

import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.adapter.kit.flow.HandingIn;
import dev.parley.adapter.whatsappcloud.webhook.Posts;
import dev.parley.domain.turn.ChatEvent;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Hands in what posts hold; a post is settled once everything in it is. Safe for concurrent use. */
public final class Intake implements Posts {
    private final PostReader reader;
    private final HandingIn handingIn;
    private final Heard heard;
    private final Consumer<String> warnings;
    private final ChatTurns turns;

    /** What others want to know of what came in. */
    public interface Heard {
        /** Somebody wrote a message, which is settled. */
        void wrote(String chat, String messageId);

        /** Meta posts what another number of the business is to get. */
        void anotherNumber();

        /** A message of ours has come somewhere. */
        void status(Incoming.Status status);
    }

    /**
     * An intake for one number.
     *
     * @param reader reads posts
     * @param handingIn hands in what was read
     * @param heard told of what came in
     * @param clock time
     * @param warnings takes one line for whatever cannot be read
     */
    public Intake(PostReader reader, HandingIn handingIn, Heard heard, InstantSource clock, Consumer<String> warnings) {
        this.reader = reader;
        this.handingIn = handingIn;
        this.heard = heard;
        this.warnings = warnings;
        this.turns = new ChatTurns(clock, warnings);
    }

    @Override
    public CompletionStage<Boolean> take(byte[] body) {
        List<CompletableFuture<Settlement>> settlements = new ArrayList<>();
        for (Incoming each : reader.read(body)) {
            settlements.add(take(each));
        }
        return CompletableFuture.allOf(settlements.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> settlements.stream()
                        .allMatch(settlement -> settlement.join().again().isEmpty()));
    }

    private CompletableFuture<Settlement> take(Incoming incoming) {
        if (incoming instanceof Incoming.Message message) {
            String chat = message.message().source().chatId();
            String id = message.message().messageId();
            return turns.take(
                    chat,
                    id,
                    () -> handingIn.message(message.message()).thenApply(settlement -> {
                        if (settlement.again().isEmpty()) {
                            heard.wrote(chat, id);
                        }
                        return settlement;
                    }));
        }
        if (incoming instanceof Incoming.Event event) {
            // A person with a new number has said what came before under the old one.
            String chat = event.happened().event() instanceof ChatEvent.Moved moved
                    ? moved.from()
                    : event.happened().source().chatId();
            return turns.take(chat, event.id(), () -> handingIn.happened(event.happened()));
        }
        if (incoming instanceof Incoming.Status status) {
            heard.status(status);
        } else if (incoming instanceof Incoming.OfAnotherNumber) {
            heard.anotherNumber();
        } else if (incoming instanceof Incoming.Unreadable unreadable) {
            warnings.accept("Something that Meta posted was left out: " + unreadable.why() + ".");
        }
        return CompletableFuture.completedFuture(Settlement.DONE);
    }
}
