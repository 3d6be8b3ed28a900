package dev.parley.fakes.surroundings;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.spi.Storage;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.fakes.network.Fault;
import dev.parley.fakes.network.FaultyProxy;
import dev.parley.fakes.proof.Delivery;
import dev.parley.fakes.proof.Said;
import dev.parley.fakes.slack.FakeSlack;
import dev.parley.fakes.slack.Shown;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Slack behind a network that breaks: calls and connections are cut anywhere, and now and then the service asks for a pause. */
public final class MoodySlack implements AutoCloseable {
    private static final String MESSAGE = "parley_message";
    private static final String PREVIEW = "parley_preview";

    private final Chance chance;
    private final FakeSlack service;
    private final FaultyProxy calls;
    private final FaultyProxy connections;
    private volatile boolean calm;

    /**
     * Slack with an app of these tokens.
     *
     * @param clock the time of the service
     */
    public MoodySlack(long seed, String botToken, String appToken, InstantSource clock) {
        chance = new Chance(seed);
        service = new FakeSlack(botToken, appToken, clock);
        calls = new FaultyProxy("127.0.0.1", service.address().getPort(), number -> ofCall());
        connections = new FaultyProxy("127.0.0.1", service.socketPort(), number -> ofConnection());
        service.tellSocketPort(connections.port());
    }

    private Fault ofCall() {
        int mood = calm ? 100 : chance.below(100);
        if (mood < 3) {
            service.limit("chat.postMessage", Duration.ofSeconds(1));
        }
        if (mood < 10) {
            return new Fault.CutRequest(chance.below(800));
        }
        return mood < 20 ? new Fault.CutAnswer(chance.below(4_000)) : new Fault.None();
    }

    /** A connection that events come by is cut between two events, within one, or before they are acknowledged. */
    private Fault ofConnection() {
        int mood = calm ? 100 : chance.below(100);
        if (mood < 20) {
            return new Fault.CutRequest(chance.below(2_000));
        }
        return mood < 60 ? new Fault.CutAnswer(chance.below(40_000)) : new Fault.None();
    }

    /** Returns Slack itself, as its people have it. */
    public FakeSlack service() {
        return service;
    }

    /** Returns where the gateway finds it. */
    public String url() {
        return "http://127.0.0.1:" + calls.port() + "/api/";
    }

    /** From now on nothing breaks. */
    public void calmDown() {
        calm = true;
        away(false);
    }

    /** Decides whether it cannot be reached. */
    public void away(boolean now) {
        for (FaultyProxy proxy : List.of(calls, connections)) {
            if (now) {
                proxy.sever();
            } else {
                proxy.restore();
            }
        }
    }

    /** Returns whether everything that these people have written in Slack is stored. */
    public static boolean isStored(List<Said> said, Storage stored) {
        Set<PlatformMessage> names = new HashSet<>();
        stored.queue()
                .forEach(
                        Instant.EPOCH,
                        inbound -> inbound.platformMessage().ifPresent(names::add),
                        turn -> {},
                        message -> {});
        return said.stream()
                .map(Said::name)
                .filter(name -> name.platform().equals(Platform.SLACK))
                .allMatch(names::contains);
    }

    /**
     * Returns what its people see, conversation by conversation and in order, by the ids of the stored messages, which Slack keeps with
     * what it shows. What the model has begun to say and no stored message took the place of is the preview of a turn that was cut off; it
     * may stay behind.
     */
    public List<Delivery> deliveries(Storage stored, Predicate<String> begun) {
        Set<String> chats = new LinkedHashSet<>();
        Map<String, String> texts = new HashMap<>();
        stored.queue().forEach(Instant.EPOCH, inbound -> {}, turn -> {}, message -> {
            if (message.platform().equals(Platform.SLACK)) {
                chats.add(message.chatId());
                texts.put(message.id().value(), message.text());
            }
        });
        List<Delivery> deliveries = new ArrayList<>();
        for (String chat : chats) {
            for (Shown shown : service.shown(chat)) {
                JsonNode mark = shown.message().path("metadata");
                String text = plain(shown.text());
                if (mark.path("event_type").asText().equals(PREVIEW) && begun.test(text)) {
                    continue;
                }
                String piece = mark.path("event_payload").path("id").asText();
                String id = mark.path("event_type").asText().equals(MESSAGE)
                        ? piece.substring(0, piece.lastIndexOf('.'))
                        : chat + "/" + shown.ts() + " of Slack";
                String whole = texts.getOrDefault(id, text);
                deliveries.add(new Delivery(id, whole.strip().equals(text.strip()) ? whole : text));
            }
        }
        return deliveries;
    }

    private static String plain(String text) {
        return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    }

    @Override
    public void close() {
        calls.close();
        connections.close();
        service.close();
    }
}
