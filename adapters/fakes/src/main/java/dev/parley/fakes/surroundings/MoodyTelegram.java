package dev.parley.fakes.surroundings;

import dev.parley.application.spi.Storage;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.SentPart;
import dev.parley.fakes.network.Fault;
import dev.parley.fakes.network.FaultyProxy;
import dev.parley.fakes.proof.Delivery;
import dev.parley.fakes.telegram.FakeTelegram;
import dev.parley.fakes.telegram.Shown;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Telegram behind a network that breaks: requests and answers are cut anywhere, and now and then the service asks for a pause. */
public final class MoodyTelegram implements AutoCloseable {
    private final Chance chance;
    private final FakeTelegram service;
    private final FaultyProxy proxy;
    private volatile boolean calm;

    /**
     * Telegram with a bot of this token.
     *
     * @param clock the time of the service
     */
    public MoodyTelegram(long seed, String token, InstantSource clock) {
        chance = new Chance(seed);
        service = new FakeTelegram(token, "chaos_bot", clock);
        proxy = new FaultyProxy("127.0.0.1", service.address().getPort(), number -> mood());
    }

    private Fault mood() {
        int mood = calm ? 100 : chance.below(100);
        if (mood < 3) {
            service.limit("sendMessage", Duration.ofSeconds(1));
        }
        if (mood < 10) {
            return new Fault.CutRequest(chance.below(800));
        }
        return mood < 20 ? new Fault.CutAnswer(chance.below(4_000)) : new Fault.None();
    }

    /** Returns Telegram itself, as its people have it. */
    public FakeTelegram service() {
        return service;
    }

    /** Returns where the gateway finds it. */
    public String url() {
        return "http://127.0.0.1:" + proxy.port();
    }

    /** From now on nothing breaks. */
    public void calmDown() {
        calm = true;
        away(false);
    }

    /** Decides whether it cannot be reached. */
    public void away(boolean now) {
        if (now) {
            proxy.sever();
        } else {
            proxy.restore();
        }
    }

    /**
     * Returns what its people see, chat by chat and in order, by the ids of the stored messages: Telegram knows none, so the store must
     * name what was shown. A message that was shown without anybody hearing of it is known by its text: of messages with the same text it
     * is the first that was not heard of before it. What the model has begun to say and no stored message names is the preview of a turn
     * that was cut off; it may stay behind.
     */
    public List<Delivery> deliveries(Storage stored, Predicate<String> begun) {
        Map<String, Outgoing> byId = new HashMap<>();
        Map<Outgoing, Long> lastHeardOf = new HashMap<>();
        Map<String, List<Outgoing>> byText = new HashMap<>();
        Set<Long> chats = new LinkedHashSet<>();
        stored.queue().forEach(Instant.EPOCH, inbound -> {}, turn -> {}, message -> {
            if (message.platform().equals(Platform.TELEGRAM)) {
                chats.add(Long.valueOf(message.chatId()));
                byText.computeIfAbsent(message.chatId() + " " + message.text().strip(), text -> new ArrayList<>())
                        .add(message);
                for (SentPart part : message.delivery().parts()) {
                    for (String id : part.messageIds()) {
                        byId.put(message.chatId() + " " + id, message);
                        lastHeardOf.merge(message, Long.valueOf(id), Math::max);
                    }
                }
            }
        });
        List<Delivery> deliveries = new ArrayList<>();
        for (long chat : chats) {
            for (Shown shown : service.shown(chat)) {
                Optional<Outgoing> message = Optional.ofNullable(byId.get(chat + " " + shown.id()))
                        .or(() -> byText.getOrDefault(chat + " " + shown.text(), List.of()).stream()
                                .filter(same -> lastHeardOf.getOrDefault(same, Long.MAX_VALUE) > shown.id())
                                .findFirst());
                if (message.isEmpty() && begun.test(shown.text())) {
                    continue;
                }
                deliveries.add(new Delivery(
                        message.map(known -> known.id().value()).orElse(chat + "/" + shown.id() + " of Telegram"),
                        message.map(Outgoing::text)
                                .filter(text -> text.strip().equals(shown.text()))
                                .orElse(shown.text())));
            }
        }
        return deliveries;
    }

    @Override
    public void close() {
        proxy.close();
        service.close();
    }
}
