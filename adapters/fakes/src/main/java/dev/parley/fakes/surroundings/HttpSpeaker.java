package dev.parley.fakes.surroundings;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Somebody whose messages come over HTTP, in a chat of their own on the webhook or as a member of a group on a bridged platform. */
final class HttpSpeaker extends Speaker {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Platform BRIDGED = Platform.of("matrix");

    private final SessionKey key;
    private final String user;
    private final Optional<String> bridgeToken;

    private HttpSpeaker(
            Crowd crowd, String name, Platform platform, String chat, String user, Optional<String> bridgeToken) {
        super(crowd, name, platform, chat);
        this.user = user;
        this.bridgeToken = bridgeToken;
        this.key = SessionKey.of(
                bridgeToken.isPresent()
                        ? "agent:main:matrix:group:" + chat + ":" + user
                        : "agent:main:webhook:dm:" + chat);
    }

    /** Somebody in a chat of their own. */
    static HttpSpeaker alone(Crowd crowd, String chat) {
        return new HttpSpeaker(crowd, chat, Platform.WEBHOOK, chat, "u" + chat, Optional.empty());
    }

    /** A member of a group whose messages a bridge hands in. */
    static HttpSpeaker member(Crowd crowd, String group, String user, String bridgeToken) {
        return new HttpSpeaker(crowd, group + user, BRIDGED, group, user, Optional.of(bridgeToken));
    }

    @Override
    SessionKey key() {
        return key;
    }

    @Override
    String id(Utterance each) {
        return name + "-" + each.number;
    }

    @Override
    Set<String> ids(Utterance each) {
        return each.acknowledgements;
    }

    @Override
    boolean hand(Utterance each) {
        List<Caller> callers = crowd.gateways();
        Chance chance = crowd.chance();
        Set<String> ids = new HashSet<>();
        if (callers.size() > 1 && chance.percent(10)) {
            Caller one = chance.of(callers);
            Caller other = chance.of(callers);
            CompletableFuture<Optional<String>> there = CompletableFuture.supplyAsync(() -> given(one, each));
            given(other, each).ifPresent(ids::add);
            there.join().ifPresent(ids::add);
        } else {
            given(callers.size() > 1 ? chance.of(callers) : callers.get(0), each)
                    .ifPresent(ids::add);
        }
        return !ids.isEmpty() && acknowledge(each, ids);
    }

    /** Hands it to one gateway; returns the id it is acknowledged by. */
    private Optional<String> given(Caller caller, Utterance each) {
        ObjectNode body = JSON.createObjectNode()
                .put("platform", platform.name())
                .put("chat_id", chat)
                .put("chat_type", bridgeToken.isPresent() ? "group" : "dm")
                .put("user_id", user)
                .put("text", each.text)
                .put("message_id", id(each))
                .put("wait", false);
        Caller.Answer answer;
        try {
            answer = caller.hand(bridgeToken.orElse(caller.token()), body);
        } catch (IOException e) {
            crowd.isUnanswered();
            return Optional.empty();
        }
        if (answer.status() == 503 || answer.status() == 429) {
            crowd.isRefused();
            return Optional.empty();
        }
        if (answer.status() != 200 && answer.status() != 202) {
            throw new AssertionError("Handing in " + body + " was answered " + answer);
        }
        String id = answer.body().path("id").asText();
        if (id.isEmpty()) {
            // The gateway was killed in the middle of its answer.
            crowd.isUnanswered();
            return Optional.empty();
        }
        return Optional.of(id);
    }
}
