package dev.parley.fakes.surroundings;

import dev.parley.fakes.proof.Said;
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
public final class Crowd implements AutoCloseable {
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
    public static Crowd overHttp(long seed, int lanes, String bridgeToken) {
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
     * channels. Lanes of what is not there are chats on the webhook too.
     *
     * @param bridgeToken the token of the bridged platform
     * @param telegram Telegram, of which the gateway has a bot
     * @param slack Slack, of which the gateway has an app
     */
    public static Crowd everywhere(
            long seed,
            int lanes,
            Optional<String> bridgeToken,
            Optional<FakeTelegram> telegram,
            Optional<FakeSlack> slack) {
        Crowd crowd = new Crowd(seed);
        telegram.ifPresent(service -> service.group(TelegramSpeaker.FORUM, "Forum"));
        String channel = "";
        for (int i = 0; i < lanes; i++) {
            if (i % 16 == 9 && slack.isPresent() && i / 16 % THREADS_IN_A_CHANNEL == 0) {
                channel = slack.get().channel("channel-" + i);
            }
            int number = i;
            String threads = channel;
            Optional<? extends Speaker> elsewhere = switch (i % 16) {
                case 1 -> slack.map(service -> SlackSpeaker.direct(crowd, service, "s" + number));
                case 9 -> slack.map(service -> SlackSpeaker.in(crowd, service, "s" + number, threads));
                case 5, 13 ->
                    bridgeToken.map(token -> HttpSpeaker.member(crowd, "g" + number / 24, "u" + number, token));
                case 3, 7, 11, 15 ->
                    telegram.map(
                            service -> new TelegramSpeaker(crowd, service, FIRST_PERSON + number, number % 8 == 3));
                default -> Optional.empty();
            };
            crowd.speakers.add(elsewhere.isPresent() ? elsewhere.get() : HttpSpeaker.alone(crowd, "c" + i));
        }
        return crowd;
    }

    /** Returns everybody who writes in Telegram, as the gateway allows them. */
    public List<String> peopleInTelegram() {
        return speakers.stream()
                .filter(TelegramSpeaker.class::isInstance)
                .map(speaker -> ((TelegramSpeaker) speaker).person())
                .toList();
    }

    /** Returns everybody who writes in Slack, as the gateway allows them. */
    public List<String> peopleInSlack() {
        return speakers.stream()
                .filter(SlackSpeaker.class::isInstance)
                .map(speaker -> ((SlackSpeaker) speaker).person())
                .toList();
    }

    /** Begins to talk, so many times in a second. */
    public void begin(int perSecond) {
        long nanos = TimeUnit.SECONDS.toNanos(THREADS) / perSecond;
        for (int i = 0; i < THREADS; i++) {
            var unused = threads.scheduleAtFixedRate(this::step, nanos * i / THREADS, nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Says where the gateway is now. */
    public void talkTo(Caller caller) {
        talkTo(List.of(caller));
    }

    /** Says where the gateways are now that share a store: each message is handed to any of them, now and then to two at once. */
    public void talkTo(List<Caller> callers) {
        gateways = List.copyOf(callers);
    }

    /** Returns where a gateway was last. */
    public Optional<Caller> caller() {
        return gateways.stream().findFirst();
    }

    /** Says nothing new any more; what is not acknowledged yet is still handed in. */
    public void hush() {
        talking = false;
    }

    /** Throws what went wrong in the crowd itself, such as an answer that no gateway may give. */
    public void check() {
        failure.ifPresent(e -> {
            throw new AssertionError("The crowd cannot go on", e);
        });
    }

    /** Returns whether everything that was said is acknowledged; checks as well. */
    public boolean isContent() {
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

    /** Returns how often something was acknowledged. */
    public int acknowledged() {
        return acknowledged.get();
    }

    /** Returns how often something was handed in again although it was acknowledged. */
    public int redelivered() {
        return redelivered.get();
    }

    /** Returns how often something was refused. */
    public int refused() {
        return refused.get();
    }

    /** Returns how often something was left without an answer. */
    public int unanswered() {
        return unanswered.get();
    }

    /** Returns all that was said, by lane and in order. */
    public List<Said> said() {
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
