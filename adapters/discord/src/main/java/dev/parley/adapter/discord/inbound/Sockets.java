package dev.parley.adapter.discord.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.discord.api.Bot;
import dev.parley.adapter.discord.api.DiscordApi;
import dev.parley.adapter.discord.api.DiscordError;
import dev.parley.adapter.kit.access.GateRules;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.flow.Connection;
import dev.parley.adapter.kit.flow.ReadingThread;
import dev.parley.adapter.kit.json.Json;
import dev.parley.application.actor.Backoff;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.ParleyException;
import dev.parley.application.spi.ProviderSettings;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Keeps a connection of the gateway open, in a thread of its own. A connection that breaks is followed by one that resumes its session
 * behind what is settled, also in the next process; where Discord has forgotten the session a new one begins, and the histories tell what
 * happened meanwhile. A connection that does not answer a heartbeat until the next counts as dead. Tries again whatever fails, ever less
 * often, up to every 16 seconds.
 */
public final class Sockets {
    private static final Duration SHORT = Duration.ofSeconds(5);
    /** How soon Discord is told what is settled. */
    private static final Duration SETTLED = Duration.ofSeconds(3);

    private static final int INTENTS = 1 | 1 << 9 | 1 << 10 | 1 << 12 | 1 << 13 | 1 << 15;
    /** What a connection is closed with when its session is over. */
    private static final Set<Integer> FORGOTTEN = Set.of(1_000, 1_001, 4_003, 4_007, 4_009);

    private static final Backoff AWAY = new Backoff(Duration.ofSeconds(1), 4);
    private static final Backoff REFUSED = new Backoff(Duration.ofSeconds(10), 3);

    private final DiscordApi api;
    private final Reading reading;
    private final Commands commands;
    private final Interactions interactions;
    private final ProviderSettings settings;
    private final InboundListener listener;
    private final Consumer<String> warnings;
    private final Connection connection;
    private final Consumer<Bot> known;
    private final ReadingThread thread;
    private final Instant begun;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Optional<InvalidRequest>> first = new CompletableFuture<>();
    private volatile Optional<Conversations> conversations = Optional.empty();
    private volatile Optional<Session> session = Optional.empty();
    private boolean unheard = true;
    private int failures;
    private int shortLives;

    /**
     * How channels are read.
     *
     * @param gateway the gateway's address; absent where Discord is asked for it
     * @param answerTimeout how long an answer may take
     * @param backfill how many messages of one channel are read at most after an absence
     * @param roles the roles whose members may talk to the agent
     * @param rules which messages of channels are for the agent
     */
    public record Reading(
            Optional<URI> gateway, Duration answerTimeout, int backfill, Set<String> roles, GateRules rules) {}

    /**
     * Connections that are not opened yet.
     *
     * @param api the bot's API
     * @param reading how channels are read
     * @param commands knows commands
     * @param interactions answers commands and buttons
     * @param settings what the platform was made with
     * @param listener takes what was read
     * @param warnings takes one line for everything an operator should know
     * @param connection told how the connection stands
     * @param known told who the bot is
     * @param begun when the platform was made: at its first start ever, what was written before is history
     */
    public Sockets(
            DiscordApi api,
            Reading reading,
            Commands commands,
            Interactions interactions,
            ProviderSettings settings,
            InboundListener listener,
            Consumer<String> warnings,
            Connection connection,
            Consumer<Bot> known,
            Instant begun) {
        this.api = api;
        this.reading = reading;
        this.commands = commands;
        this.interactions = interactions;
        this.settings = settings;
        this.listener = listener;
        this.warnings = warnings;
        this.connection = connection;
        this.known = known;
        this.thread = new ReadingThread("discord-gateway", settings.timers(), settings.ids(), this::failed);
        this.begun = begun;
    }

    /**
     * Begins; who the bot is is asked for until Discord answers, where that is not known yet.
     *
     * @return completes once the first attempt is over: with what is wrong with the configuration where Discord says so
     */
    public CompletableFuture<Optional<InvalidRequest>> start(Optional<Bot> bot) {
        thread.start(() -> run(bot));
        return first;
    }

    /** Returns the bot's application; absent until Discord has said it. */
    public Optional<String> application() {
        return session.map(Session::application).filter(id -> !id.isEmpty());
    }

    /** Ends within two seconds; what is not settled by then is told again. */
    public void stop() {
        thread.stop();
        conversations.ifPresent(Conversations::stop);
        open.forEach(Socket::close);
        keepSession();
    }

    private void keepSession() {
        conversations.ifPresent(to -> session.ifPresent(to::keep));
    }

    private void run(Optional<Bot> given) {
        Optional<Bot> bot = given;
        while (bot.isEmpty() && !thread.isStopped()) {
            bot = attempt(() -> api.me(SHORT));
        }
        try {
            bot.ifPresent(this::serve);
        } finally {
            conversations.ifPresent(Conversations::stop);
            open.forEach(Socket::close);
        }
    }

    private void failed(Throwable thrown) {
        first.complete(Optional.empty());
        connection.readingFailed(thrown);
    }

    private void serve(Bot bot) {
        known.accept(bot);
        Directory directory = new Directory(api);
        Conversations to = new Conversations(
                bot,
                new Reader(bot, directory, commands, reading.rules(), reading.roles()),
                directory,
                new History(api, reading.backfill(), warnings),
                interactions,
                api,
                settings,
                listener,
                warnings,
                begun);
        conversations = Optional.of(to);
        boolean loaded = false;
        while (!loaded && !thread.isStopped()) {
            loaded = attempt(() -> {
                        session = to.load();
                        return true;
                    })
                    .orElse(false);
        }
        while (!thread.isStopped()) {
            Optional<Open> socket = attempt(() -> open(bot, to));
            if (socket.isPresent()) {
                failures = 0;
                keepSession();
                connection.up();
                first.complete(Optional.empty());
                hold(socket.get());
                to.leave();
                keepSession();
            }
        }
    }

    /** A connection with a session. */
    private record Open(Socket socket, Duration interval, Session session) {}

    /**
     * Keeps a connection until it ends, or Discord wants another one. Beside the heartbeats that Discord asks for, one tells it soon what is
     * settled.
     */
    private void hold(Open open) {
        Socket socket = open.socket();
        Duration tick = open.interval().compareTo(SETTLED) < 0 ? open.interval() : SETTLED;
        long ticks = Math.max(1, open.interval().dividedBy(tick));
        long left = settings.ids().jitter(Duration.ZERO, open.interval()).dividedBy(tick);
        int told = 0;
        boolean lived = false;
        while (!thread.isStopped() && !socket.isEnded() && !socket.isLeaving()) {
            int settled = open.session().events().settled();
            boolean regular = left <= 0;
            if (regular && !socket.isHeard()) {
                connection.trouble("The connection to Discord answers no more", "", false);
                break;
            }
            if (regular || settled != told) {
                keepSession();
                socket.heartbeat(settled, regular);
                told = settled;
                left = regular ? ticks : left;
            }
            // What wakes the thread, such as the end of the connection before this one, brings no heartbeat nearer.
            left -= thread.pause(tick) ? 1 : 0;
            lived = lived || !socket.isEnded();
        }
        boolean asked = socket.isLeaving();
        socket.close();
        forget(socket.closed());
        shortLives = lived || asked ? 0 : shortLives + 1;
        if (shortLives > 1 && !thread.isStopped()) {
            thread.rest(AWAY.pause(shortLives - 2, settings.ids()));
        }
    }

    /** Gives a session up where the connection was closed because of it. */
    private void forget(int closed) {
        if (FORGOTTEN.contains(closed)) {
            session = Optional.empty();
        }
    }

    /** How a session began. */
    private enum Beginning {
        READY,
        RESUMED,
        INVALID,
        INVALID_NOW
    }

    private Open open(Bot bot, Conversations to) throws DiscordError, ApiFailure, InterruptedException, Closed {
        Optional<Session> before = session;
        URI address = address(before);
        CompletableFuture<Beginning> beginning = new CompletableFuture<>();
        Socket socket = new Socket(new Frames(bot, to, before, beginning));
        open.add(socket);
        try {
            long patience = reading.answerTimeout().toMillis();
            api.connect(address, socket).get(patience, TimeUnit.MILLISECONDS);
            Duration interval = socket.hello().get(patience, TimeUnit.MILLISECONDS);
            socket.send(before.map(this::resume).orElseGet(this::identify));
            Beginning how = beginning.get(patience, TimeUnit.MILLISECONDS);
            if (how == Beginning.READY || how == Beginning.RESUMED) {
                Session now = session.orElseThrow(() -> new Closed("Discord began no session", 0));
                return new Open(socket, interval, now);
            }
            if (how == Beginning.INVALID) {
                session = Optional.empty();
            }
            socket.close();
            throw new Closed("Discord has forgotten the session", 0);
        } catch (ExecutionException | TimeoutException e) {
            socket.close();
            forget(socket.closed());
            throw new Closed("Discord's gateway did not open", socket.closed());
        } catch (InterruptedException e) {
            socket.close();
            throw e;
        }
    }

    private URI address(Optional<Session> before) throws DiscordError, ApiFailure, InterruptedException {
        if (reading.gateway().isPresent()) {
            return reading.gateway().get();
        }
        Optional<URI> resumed = before.flatMap(Session::address).filter(address -> failures == 0);
        return resumed.isPresent() ? resumed.get() : api.gateway();
    }

    private String resume(Session before) {
        ObjectNode frame = Json.object().put("op", 6);
        frame.putObject("d")
                .put("token", api.token())
                .put("session_id", before.id())
                .put("seq", before.events().settled());
        return frame.toString();
    }

    private String identify() {
        ObjectNode frame = Json.object().put("op", 2);
        ObjectNode d = frame.putObject("d").put("token", api.token()).put("intents", INTENTS);
        d.put("large_threshold", 50);
        d.putObject("properties").put("os", "linux").put("browser", "parley").put("device", "parley");
        return frame.toString();
    }

    /** What comes by one connection. */
    private final class Frames implements Socket.Frames {
        private final Bot bot;
        private final Conversations to;
        private final CompletableFuture<Beginning> beginning;
        /** The session of this connection: one that a later connection has begun counts its events anew. */
        private Optional<Session> mine;

        Frames(Bot bot, Conversations to, Optional<Session> before, CompletableFuture<Beginning> beginning) {
            this.bot = bot;
            this.to = to;
            this.mine = before;
            this.beginning = beginning;
        }

        @Override
        public void event(Socket from, JsonNode frame) {
            String type = frame.path("t").asText();
            JsonNode d = frame.path("d");
            int number = frame.path("s").asInt();
            if (type.equals("READY")) {
                mine = Optional.of(Session.begun(d, bot.id()));
                session = mine;
            }
            if (mine.isEmpty()) {
                return;
            }
            Event event = new Event(mine.get().events(), number);
            mine.get().events().came(number);
            switch (type) {
                case "READY" -> {
                    event.settle();
                    unheard = false;
                    to.wereAbsent();
                    beginning.complete(Beginning.READY);
                }
                case "RESUMED" -> {
                    event.settle();
                    if (unheard) {
                        unheard = false;
                        to.wereAbsent();
                    } else {
                        to.resumed();
                    }
                    beginning.complete(Beginning.RESUMED);
                }
                default -> to.take(type, d, event);
            }
        }

        @Override
        public void beat(Socket from) {
            from.heartbeat(mine.map(each -> each.events().settled()).orElse(0), false);
        }

        @Override
        public void invalid(Socket from, boolean resumable) {
            boolean begins = beginning.complete(resumable ? Beginning.INVALID_NOW : Beginning.INVALID);
            if (!begins) {
                if (!resumable) {
                    session = Optional.empty();
                }
                from.close();
            }
        }

        @Override
        public void leaves(Socket from) {
            beginning.completeExceptionally(new IllegalStateException("Discord asks to connect anew."));
            thread.wake();
        }

        @Override
        public void ended(Socket from) {
            open.remove(from);
            beginning.completeExceptionally(new IllegalStateException("The connection ended."));
            thread.wake();
        }
    }

    /** A connection did not open, or no session began by it. */
    private static final class Closed extends Exception {
        private static final long serialVersionUID = 1L;

        private final int code;

        Closed(String message, int code) {
            super(message);
            this.code = code;
        }

        /** Returns what the operator has to do; absent where waiting may help. */
        Optional<String> advice(String variable) {
            return switch (code) {
                case 4_004 ->
                    Optional.of("Discord does not take the bot's token in " + variable
                            + "; copy it from the application's page once more.");
                case 4_014 ->
                    Optional.of("Discord does not let the bot read what messages say; switch on the Message Content"
                            + " Intent on the application's page, under Bot.");
                case 4_010, 4_011 ->
                    Optional.of("Discord wants the bot to share its guilds among several connections, since it is in"
                            + " so many; take it out of some.");
                case 4_012, 4_013 ->
                    Optional.of("Discord does not know what the bot asks for; look whether this version of the gateway"
                            + " is too old.");
                default -> Optional.empty();
            };
        }
    }

    private interface Call<T> {
        T make() throws DiscordError, ApiFailure, InterruptedException, Closed;
    }

    /** Makes a call; where it fails, says so, waits and returns nothing. */
    private <T> Optional<T> attempt(Call<T> call) {
        try {
            return Optional.of(call.make());
        } catch (InterruptedException e) {
            // Only stopping interrupts; the loop looks.
        } catch (DiscordError e) {
            pause(after(e));
        } catch (Closed e) {
            pause(after(e));
        } catch (ApiFailure e) {
            failures++;
            if (e instanceof ApiFailure.NotSent || failures > 1) {
                connection.trouble(String.valueOf(e.getMessage()), "", true);
            }
            pause(AWAY.pause(failures - 1, settings.ids()));
        } catch (ParleyException e) {
            failures++;
            connection.trouble("The storage does not say up to where was read", "", false);
            pause(AWAY.pause(failures - 1, settings.ids()));
        } catch (RuntimeException e) {
            failures++;
            connection.readingFailed(e);
            pause(AWAY.pause(failures - 1, settings.ids()));
        }
        return Optional.empty();
    }

    private void pause(Duration time) {
        first.complete(Optional.empty());
        if (!thread.isStopped()) {
            thread.rest(time);
        }
    }

    private Duration after(Closed e) {
        failures++;
        Optional<String> advice = e.advice(settings.value("token_env").orElse("DISCORD_BOT_TOKEN"));
        if (advice.isPresent()) {
            // At the start it is told by the start's failure; where nobody waits for that any more the next time tells
            // it.
            if (!first.complete(Optional.of(new InvalidRequest(advice.get())))) {
                connection.trouble("Discord refused the connection (" + e.code + ")", advice.get(), true);
            }
            return REFUSED.pause(failures - 1, settings.ids());
        }
        if (failures > 1) {
            connection.trouble(String.valueOf(e.getMessage()), "", false);
        }
        return AWAY.pause(failures - 1, settings.ids());
    }

    private Duration after(DiscordError e) {
        failures++;
        String what = String.valueOf(e.getMessage());
        if (e.isLimit()) {
            return e.retryAfter().orElse(AWAY.pause(failures - 1, settings.ids()));
        }
        if (e.isUnauthorized()) {
            connection.trouble(what, "Put the bot's token into the environment and start again.", true);
            return REFUSED.pause(failures - 1, settings.ids());
        }
        connection.trouble(
                what,
                e.isSpoken() ? "" : "Look whether platforms.discord.base_url is the API's address.",
                failures > 1);
        return AWAY.pause(failures - 1, settings.ids());
    }
}
