package dev.parley.bootstrap.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.bootstrap.process.Caller;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.fakes.telegram.FakeTelegram;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * People in many lanes who talk all the time. What is not acknowledged is handed in again under the same name until it is, and
 * nothing else is said in the lane before; what is acknowledged is handed in again now and then, as platforms do.
 */
final class Crowd implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int THREADS = 8;
    private static final Platform BRIDGED = Platform.of("matrix");
    private static final long FORUM = -100777;
    private static final long FIRST_PERSON = 1000;

    private final Chance chance;
    private final String bridgeToken;
    private final List<Lane> lanes = new ArrayList<>();
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS);
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger redelivered = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile List<Caller> gateways = List.of();
    private volatile Optional<Throwable> failure = Optional.empty();
    private volatile boolean talking = true;

    /**
     * Makes so many lanes: every fourth one in Telegram, by turns private chats and topics of a forum; half of the others chats of their own
     * on the webhook, half members of groups on a bridged platform.
     *
     * @param bridgeToken the token of the bridged platform
     * @param telegram Telegram, of which the gateway has a bot
     */
    Crowd(long seed, int lanes, String bridgeToken, FakeTelegram telegram) {
        this(seed, lanes, bridgeToken, Optional.of(telegram));
    }

    /** Makes so many lanes: half of them chats of their own on the webhook, half members of groups on a bridged platform. */
    Crowd(long seed, int lanes, String bridgeToken) {
        this(seed, lanes, bridgeToken, Optional.empty());
    }

    private Crowd(long seed, int lanes, String bridgeToken, Optional<FakeTelegram> telegram) {
        this.chance = new Chance(seed);
        this.bridgeToken = bridgeToken;
        telegram.ifPresent(service -> service.group(FORUM, "Forum"));
        for (int i = 0; i < lanes; i++) {
            if (telegram.isPresent() && i % 4 == 3) {
                this.lanes.add(new TelegramLane(telegram.get(), FIRST_PERSON + i, i % 8 == 3));
            } else {
                this.lanes.add(i % 2 == 0 ? new Lane("c" + i) : new Lane("g" + i / 6, "u" + i));
            }
        }
    }

    /** Returns everybody who writes in Telegram. */
    List<Long> peopleInTelegram() {
        return lanes.stream()
                .filter(TelegramLane.class::isInstance)
                .map(lane -> ((TelegramLane) lane).person)
                .toList();
    }

    /** Begins to talk, so many times in a second. */
    void begin(int perSecond) {
        long nanos = TimeUnit.SECONDS.toNanos(THREADS) / perSecond;
        for (int i = 0; i < THREADS; i++) {
            var unused = threads.scheduleAtFixedRate(this::step, nanos * i / THREADS, nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Says where the gateway is now. */
    void talkTo(Caller caller) {
        talkTo(List.of(caller));
    }

    /** Says where the gateways are now that share a store: each message is handed to any of them, now and then to two at once. */
    void talkTo(List<Caller> callers) {
        gateways = List.copyOf(callers);
    }

    /** Returns where a gateway was last. */
    Optional<Caller> caller() {
        return gateways.stream().findFirst();
    }

    /** Says nothing new any more; what is not acknowledged yet is still handed in. */
    void hush() {
        talking = false;
    }

    /** Throws what went wrong in the crowd itself, such as an answer that no gateway may give. */
    void check() {
        failure.ifPresent(e -> {
            throw new AssertionError("The crowd cannot go on", e);
        });
    }

    /** Returns whether everything that was said is acknowledged; checks as well. */
    boolean isContent() {
        check();
        return !talking && lanes.stream().allMatch(Lane::isContent);
    }

    int acknowledged() {
        return acknowledged.get();
    }

    int redelivered() {
        return redelivered.get();
    }

    int refused() {
        return refused.get();
    }

    int unanswered() {
        return unanswered.get();
    }

    /** Returns all that was said, by lane and in order. */
    List<Said> said() {
        return lanes.stream().flatMap(lane -> lane.said().stream()).toList();
    }

    private void step() {
        try {
            if (!gateways.isEmpty()) {
                (talking ? chance.of(lanes) : discontent()).step();
            }
        } catch (RuntimeException | AssertionError e) {
            failure = Optional.of(e);
        }
    }

    private Lane discontent() {
        return lanes.stream().filter(lane -> !lane.isContent()).findFirst().orElse(lanes.get(0));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** Something that was said; guarded by its lane. */
    private static final class Utterance {
        private final int number;
        private final Said.Kind kind;
        private final String token;
        private final String text;
        private final Set<String> acknowledgements = new HashSet<>();

        Utterance(int number, Said.Kind kind, String token, String text) {
            this.number = number;
            this.kind = kind;
            this.token = token;
            this.text = text;
        }
    }

    private class Lane {
        final String name;
        final SessionKey key;
        final Platform platform;
        final String chat;
        private final ReentrantLock lock = new ReentrantLock();
        private final String user;
        private final List<Utterance> said = new ArrayList<>();

        Lane(String chat) {
            this.name = chat;
            this.platform = Platform.WEBHOOK;
            this.chat = chat;
            this.user = "u" + chat;
            this.key = SessionKey.of("agent:main:webhook:dm:" + chat);
        }

        Lane(String name, SessionKey key, String chat, String user) {
            this.name = name;
            this.platform = Platform.TELEGRAM;
            this.chat = chat;
            this.user = user;
            this.key = key;
        }

        Lane(String chat, String user) {
            this.name = chat + user;
            this.platform = BRIDGED;
            this.chat = chat;
            this.user = user;
            this.key = SessionKey.of("agent:main:matrix:group:" + chat + ":" + user);
        }

        boolean isContent() {
            lock.lock();
            try {
                return pending().isEmpty();
            } finally {
                lock.unlock();
            }
        }

        List<Said> said() {
            lock.lock();
            try {
                return said.stream()
                        .map(each -> new Said(
                                key,
                                each.number,
                                each.kind,
                                each.token,
                                named(each),
                                ids(each),
                                !each.acknowledgements.isEmpty()))
                        .toList();
            } finally {
                lock.unlock();
            }
        }

        private PlatformMessage named(Utterance each) {
            return new PlatformMessage(platform, chat, id(each));
        }

        /** Returns the ids that the gateway has answered with. */
        Set<String> ids(Utterance each) {
            return each.acknowledgements;
        }

        String id(Utterance each) {
            return name + "-" + each.number;
        }

        private Optional<Utterance> pending() {
            return said.isEmpty() || !said.get(said.size() - 1).acknowledgements.isEmpty()
                    ? Optional.empty()
                    : Optional.of(said.get(said.size() - 1));
        }

        void step() {
            if (!lock.tryLock()) {
                return;
            }
            try {
                Optional<Utterance> pending = pending();
                if (pending.isPresent()) {
                    hand(pending.get());
                } else if (!said.isEmpty() && (!talking || chance.percent(12))) {
                    redelivered.incrementAndGet();
                    hand(chance.of(said.subList(Math.max(0, said.size() - 8), said.size())));
                } else {
                    talk();
                }
            } finally {
                lock.unlock();
            }
        }

        private void talk() {
            int burst = chance.percent(25) ? 1 + chance.below(4) : 1;
            for (int i = 0; i < burst; i++) {
                Utterance next = next();
                said.add(next);
                if (!hand(next)) {
                    return;
                }
            }
        }

        private Utterance next() {
            int number = said.size() + 1;
            int mood = number == 1 ? 100 : chance.below(100);
            if (mood < 3) {
                return new Utterance(number, Said.Kind.NEW, "", "/new");
            }
            if (mood < 6) {
                return new Utterance(number, Said.Kind.STOP, "", "/stop");
            }
            if (mood < 8) {
                return new Utterance(number, Said.Kind.STATUS, "", "/status");
            }
            String token = Tokens.of(name, number);
            return mood < 16
                    ? new Utterance(number, Said.Kind.QUEUED, token, "/queue later " + token)
                    : new Utterance(number, Said.Kind.TEXT, token, "say " + token);
        }

        /** Hands it in; returns whether it is acknowledged. */
        boolean hand(Utterance each) {
            List<Caller> callers = gateways;
            Set<String> ids = new HashSet<>();
            if (callers.size() > 1 && chance.percent(10)) {
                Caller one = chance.of(callers);
                Caller other = chance.of(callers);
                CompletableFuture<Optional<String>> there = CompletableFuture.supplyAsync(() -> id(one, each));
                id(other, each).ifPresent(ids::add);
                there.join().ifPresent(ids::add);
            } else {
                id(callers.size() > 1 ? chance.of(callers) : callers.get(0), each)
                        .ifPresent(ids::add);
            }
            if (ids.isEmpty()) {
                return false;
            }
            if (each.acknowledgements.isEmpty()) {
                acknowledged.incrementAndGet();
            }
            each.acknowledgements.addAll(ids);
            return true;
        }

        /** Hands it to one gateway; returns the id it is acknowledged by. */
        private Optional<String> id(Caller caller, Utterance each) {
            ObjectNode body = JSON.createObjectNode()
                    .put("platform", platform.name())
                    .put("chat_id", chat)
                    .put("chat_type", platform.equals(Platform.WEBHOOK) ? "dm" : "group")
                    .put("user_id", user)
                    .put("text", each.text)
                    .put("message_id", id(each))
                    .put("wait", false);
            Caller.Answer answer;
            try {
                answer = caller.hand(platform.equals(Platform.WEBHOOK) ? caller.token() : bridgeToken, body);
            } catch (IOException e) {
                unanswered.incrementAndGet();
                return Optional.empty();
            }
            if (answer.status() == 503) {
                refused.incrementAndGet();
                return Optional.empty();
            }
            if (answer.status() != 200 && answer.status() != 202) {
                throw new AssertionError("Handing in " + body + " was answered " + answer);
            }
            String id = answer.body().path("id").asText();
            if (id.isEmpty()) {
                // The gateway was killed in the middle of its answer.
                unanswered.incrementAndGet();
                return Optional.empty();
            }
            return Optional.of(id);
        }
    }

    /** Somebody in Telegram, in a private chat or in a topic of their own: Telegram keeps what they write until it is confirmed. */
    private final class TelegramLane extends Lane {
        private final Map<Utterance, Long> written = new HashMap<>();
        private final FakeTelegram telegram;
        private final long person;
        private final Optional<Long> topic;

        TelegramLane(FakeTelegram telegram, long person, boolean direct) {
            super(
                    "t" + person,
                    SessionKey.of("agent:main:telegram:" + (direct ? "dm:" + person : "group:" + FORUM + ":" + person)),
                    String.valueOf(direct ? person : FORUM),
                    String.valueOf(person));
            this.telegram = telegram;
            this.person = person;
            this.topic = direct ? Optional.empty() : Optional.of(person);
            telegram.privateChat(person, "Person " + person);
            topic.ifPresent(thread -> telegram.topic(FORUM, thread, "Topic " + thread));
        }

        private long chatId() {
            return topic.isPresent() ? FORUM : person;
        }

        @Override
        String id(Utterance each) {
            return String.valueOf(written.getOrDefault(each, 0L));
        }

        /** Telegram is told no id. */
        @Override
        Set<String> ids(Utterance each) {
            return Set.of();
        }

        @Override
        boolean hand(Utterance each) {
            long message = written.computeIfAbsent(
                    each,
                    first -> telegram.write(
                            chatId(),
                            person,
                            each.text,
                            more -> topic.ifPresent(thread ->
                                    more.put("message_thread_id", thread).put("is_topic_message", true))));
            if (!telegram.isConfirmed(chatId(), message)) {
                return false;
            }
            if (each.acknowledgements.isEmpty()) {
                acknowledged.incrementAndGet();
            }
            each.acknowledgements.add("confirmed");
            return true;
        }
    }
}
