package dev.parley.bootstrap.chaos;

import dev.parley.bootstrap.process.Caller;
import dev.parley.fakes.slack.FakeSlack;
import dev.parley.fakes.telegram.FakeTelegram;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * People in many lanes who talk all the time. What is not acknowledged is handed in again under the same name until it is, and
 * nothing else is said in the lane before; what is acknowledged is handed in again now and then, as platforms do.
 */
final class Crowd implements AutoCloseable {
    private static final int THREADS = 8;
    private static final int FIRST_PERSON = 1000;
    private static final int THREADS_IN_A_CHANNEL = 2;

    private final Chance chance;
    private final List<Speaker> speakers = new ArrayList<>();
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS);
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger redelivered = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile List<Caller> gateways = List.of();
    private volatile Optional<Throwable> failure = Optional.empty();
    private volatile boolean talking = true;

    private Crowd(long seed) {
        this.chance = new Chance(seed);
    }

    /** Makes so many lanes: half of them chats of their own on the webhook, half members of groups on a bridged platform. */
    static Crowd overHttp(long seed, int lanes, String bridgeToken) {
        Crowd crowd = new Crowd(seed);
        for (int i = 0; i < lanes; i++) {
            crowd.speakers.add(
                    i % 2 == 0
                            ? HttpSpeaker.alone(crowd, "c" + i)
                            : HttpSpeaker.member(crowd, "g" + i / 6, "u" + i, bridgeToken));
        }
        return crowd;
    }

    /**
     * Makes so many lanes: half of them chats of their own on the webhook, an eighth members of groups on a bridged platform, a quarter in
     * Telegram, by turns in private chats and in topics of a forum, and an eighth in Slack, by turns in direct chats and in threads of
     * channels.
     *
     * @param bridgeToken the token of the bridged platform
     * @param telegram Telegram, of which the gateway has a bot
     * @param slack Slack, of which the gateway has an app
     */
    static Crowd everywhere(long seed, int lanes, String bridgeToken, FakeTelegram telegram, FakeSlack slack) {
        Crowd crowd = new Crowd(seed);
        telegram.group(TelegramSpeaker.FORUM, "Forum");
        String channel = "";
        int inThreads = 0;
        for (int i = 0; i < lanes; i++) {
            crowd.speakers.add(
                    switch (i % 16) {
                        case 1 -> SlackSpeaker.direct(crowd, slack, "s" + i);
                        case 9 -> {
                            channel = inThreads++ % THREADS_IN_A_CHANNEL == 0 ? slack.channel("channel-" + i) : channel;
                            yield SlackSpeaker.in(crowd, slack, "s" + i, channel);
                        }
                        case 5, 13 -> HttpSpeaker.member(crowd, "g" + i / 24, "u" + i, bridgeToken);
                        case 3, 7, 11, 15 -> new TelegramSpeaker(crowd, telegram, FIRST_PERSON + i, i % 8 == 3);
                        default -> HttpSpeaker.alone(crowd, "c" + i);
                    });
        }
        return crowd;
    }

    /** Returns everybody who writes in Telegram, as the gateway allows them. */
    List<String> peopleInTelegram() {
        return speakers.stream()
                .filter(TelegramSpeaker.class::isInstance)
                .map(speaker -> ((TelegramSpeaker) speaker).person())
                .toList();
    }

    /** Returns everybody who writes in Slack, as the gateway allows them. */
    List<String> peopleInSlack() {
        return speakers.stream()
                .filter(SlackSpeaker.class::isInstance)
                .map(speaker -> ((SlackSpeaker) speaker).person())
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
        return !talking && speakers.stream().allMatch(Speaker::isContent);
    }

    Chance chance() {
        return chance;
    }

    boolean isTalking() {
        return talking;
    }

    /** Returns the gateways that may be talked to now. */
    List<Caller> gateways() {
        return gateways;
    }

    /** Counts something that was acknowledged for the first time. */
    void acknowledges() {
        acknowledged.incrementAndGet();
    }

    /** Counts something acknowledged that is handed in again. */
    void redelivers() {
        redelivered.incrementAndGet();
    }

    /** Counts something that was refused. */
    void isRefused() {
        refused.incrementAndGet();
    }

    /** Counts something that was left without an answer. */
    void isUnanswered() {
        unanswered.incrementAndGet();
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
        return speakers.stream().flatMap(speaker -> speaker.said().stream()).toList();
    }

    private void step() {
        try {
            if (!gateways.isEmpty()) {
                (talking ? chance.of(speakers) : discontent()).step();
            }
        } catch (RuntimeException | AssertionError e) {
            failure = Optional.of(e);
        }
    }

    private Speaker discontent() {
        return speakers.stream()
                .filter(speaker -> !speaker.isContent())
                .findFirst()
                .orElse(speakers.get(0));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
