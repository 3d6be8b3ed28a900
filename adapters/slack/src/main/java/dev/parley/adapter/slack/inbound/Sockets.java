package dev.parley.adapter.slack.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.access.GateRules;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.flow.Connection;
import dev.parley.adapter.kit.flow.ReadingThread;
import dev.parley.adapter.slack.api.Bot;
import dev.parley.adapter.slack.api.SlackApi;
import dev.parley.adapter.slack.api.SlackError;
import dev.parley.application.actor.Backoff;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.ParleyException;
import dev.parley.application.spi.ProviderSettings;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Keeps a connection of Socket Mode open, in a thread of its own. Where Slack asks for a new one it is opened before the old one is left.
 * A connection that says nothing for too long counts as dead. Goes on whatever fails: where Slack is away it tries again ever less often,
 * up to every 16 seconds.
 */
public final class Sockets {
    private static final Duration SHORT = Duration.ofSeconds(5);
    /** A connection that ends sooner ended at once. */
    private static final Duration SHORT_LIFE = Duration.ofSeconds(5);

    /** A connection that is cut off while it is opened may not be told to end: the first pings come soon, later ones ever less often. */
    private static final Duration FIRST_PING = Duration.ofSeconds(1);

    private static final Backoff AWAY = new Backoff(Duration.ofSeconds(1), 4);
    private static final Backoff REFUSED = new Backoff(Duration.ofSeconds(10), 3);

    private final SlackApi api;
    private final Reading reading;
    private final Commands commands;
    private final ProviderSettings settings;
    private final InboundListener listener;
    private final Consumer<String> warnings;
    private final Connection connection;
    private final ReadingThread thread;
    private final Instant begun;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Optional<Bot> bot = Optional.empty();
    private volatile Optional<Conversations> conversations = Optional.empty();
    private int failures;
    private int shortLives;

    /**
     * How conversations are read.
     *
     * @param answerTimeout how long an answer may take
     * @param silence how long a connection may say nothing
     * @param backfill how many messages of one conversation are read at most after an absence
     * @param channelThreads whether what is said to the bot in a channel begins a thread
     * @param directThreads whether each message of a direct chat begins one
     * @param rules which messages of channels are for the agent
     */
    public record Reading(
            Duration answerTimeout,
            Duration silence,
            int backfill,
            boolean channelThreads,
            boolean directThreads,
            GateRules rules) {}

    /**
     * What is known at the start.
     *
     * @param bot whose token it is
     * @param address the address of a first connection
     */
    public record Known(Optional<Bot> bot, Optional<URI> address) {}

    /**
     * Connections that are not opened yet.
     *
     * @param api the app's API
     * @param reading how conversations are read
     * @param commands knows commands
     * @param settings what the platform was made with
     * @param listener takes what was read
     * @param warnings takes one line for everything an operator should know
     * @param connection told how the connection stands
     * @param begun when the platform was made: at its first start ever, what was written before is history
     */
    public Sockets(
            SlackApi api,
            Reading reading,
            Commands commands,
            ProviderSettings settings,
            InboundListener listener,
            Consumer<String> warnings,
            Connection connection,
            Instant begun) {
        this.api = api;
        this.reading = reading;
        this.commands = commands;
        this.settings = settings;
        this.listener = listener;
        this.warnings = warnings;
        this.connection = connection;
        this.thread = new ReadingThread("slack-socket", settings.timers(), settings.ids(), connection::readingFailed);
        this.begun = begun;
    }

    /** Begins; what is not known yet is asked for until Slack answers. */
    public void start(Known known) {
        thread.start(() -> run(known));
    }

    /** Returns who the bot is; absent until Slack has said it. */
    public Optional<Bot> bot() {
        return bot;
    }

    /** Ends within two seconds; what is not settled by then is told again. */
    public void stop() {
        thread.stop();
        conversations.ifPresent(Conversations::stop);
        open.forEach(Socket::close);
    }

    private void run(Known known) {
        Optional<Bot> found = known.bot();
        while (found.isEmpty() && !thread.isStopped()) {
            found = attempt(() -> api.me(SHORT));
        }
        bot = found;
        try {
            found.ifPresent(who -> serve(conversations(who), known.address()));
        } finally {
            conversations.ifPresent(Conversations::stop);
            open.forEach(Socket::close);
        }
    }

    private Conversations conversations(Bot who) {
        Directory directory = new Directory(api, settings.clock());
        Reader reader = new Reader(
                who, directory, commands, reading.rules(), reading.channelThreads(), reading.directThreads());
        Conversations made = new Conversations(
                who,
                reader,
                directory,
                new History(api, reading.backfill(), warnings),
                api,
                settings,
                listener,
                warnings,
                begun);
        conversations = Optional.of(made);
        return made;
    }

    private void serve(Conversations to, Optional<URI> first) {
        boolean loaded = false;
        while (!loaded && !thread.isStopped()) {
            loaded = attempt(() -> {
                        to.load();
                        return true;
                    })
                    .orElse(false);
        }
        Optional<URI> address = first;
        while (!thread.isStopped()) {
            Optional<URI> given = address;
            address = Optional.empty();
            Optional<Socket> socket = attempt(() -> open(to, given));
            if (socket.isPresent()) {
                failures = 0;
                connection.up();
                to.wereAbsent();
                hold(to, socket.get());
                to.leave();
            }
        }
    }

    /** Keeps a connection, and those that take its place while it lives, until none is left. */
    private void hold(Conversations to, Socket held) {
        Socket socket = held;
        Instant opened = settings.clock().instant();
        Duration rarest = reading.silence().dividedBy(3);
        Duration pings = FIRST_PING;
        while (!thread.isStopped() && !socket.isEnded()) {
            if (socket.isLeaving()) {
                restAfter(opened);
                Optional<Socket> next = attempt(() -> open(to, Optional.empty()));
                if (next.isPresent()) {
                    failures = 0;
                    connection.up();
                    boolean gap = socket.isEnded();
                    socket.close();
                    socket = next.get();
                    opened = settings.clock().instant();
                    if (gap) {
                        to.wereAbsent();
                    }
                }
                continue;
            }
            if (Duration.between(socket.lastHeard(), settings.clock().instant()).compareTo(reading.silence()) >= 0) {
                connection.trouble("The connection to Slack said nothing for too long", "", false);
                break;
            }
            socket.ping();
            thread.pause(pings);
            pings = pings.compareTo(rarest) < 0 ? pings.multipliedBy(2) : rarest;
        }
        socket.close();
        restAfter(opened);
    }

    /** Waits where connections end as soon as they are open, ever longer. */
    private void restAfter(Instant opened) {
        boolean lived = opened.plus(SHORT_LIFE).isBefore(settings.clock().instant());
        shortLives = lived ? 0 : shortLives + 1;
        if (shortLives > 1 && !thread.isStopped()) {
            thread.rest(AWAY.pause(shortLives - 2, settings.ids()));
        }
    }

    private Socket open(Conversations to, Optional<URI> given)
            throws SlackError, ApiFailure, InterruptedException, Closed {
        URI address = given.isPresent() ? given.get() : api.openConnection(reading.answerTimeout());
        Socket socket = new Socket(settings.clock(), new Socket.Events() {
            @Override
            public void work(Socket from, JsonNode envelope) {
                Optional<Told> told = Told.of(envelope.path("type").asText(), envelope.path("payload"));
                to.take(told, new Envelope(from, envelope.path("envelope_id").asText()));
            }

            @Override
            public void leaves(Socket from) {
                thread.wake();
            }

            @Override
            public void ended(Socket from) {
                open.remove(from);
                thread.wake();
            }
        });
        open.add(socket);
        try {
            long patience = reading.answerTimeout().toMillis();
            api.connect(address, socket).get(patience, TimeUnit.MILLISECONDS);
            return socket.hello().get(patience, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            socket.close();
            // The cause names the address, which holds a ticket.
            throw new Closed();
        } catch (InterruptedException e) {
            socket.close();
            throw e;
        }
    }

    /** A connection did not open, or Slack gives no work by it. */
    private static final class Closed extends Exception {
        private static final long serialVersionUID = 1L;

        Closed() {
            super("Slack's connection did not open");
        }
    }

    private interface Call<T> {
        T make() throws SlackError, ApiFailure, InterruptedException, Closed;
    }

    /** Makes a call; where it fails, says so, waits and returns nothing. */
    private <T> Optional<T> attempt(Call<T> call) {
        try {
            return Optional.of(call.make());
        } catch (InterruptedException e) {
            // Only stopping interrupts; the loop looks.
        } catch (SlackError e) {
            thread.rest(after(e));
        } catch (ApiFailure | Closed e) {
            failures++;
            if (e instanceof ApiFailure.NotSent || failures > 1) {
                connection.trouble(String.valueOf(e.getMessage()), "", e instanceof ApiFailure);
            }
            thread.rest(AWAY.pause(failures - 1, settings.ids()));
        } catch (ParleyException e) {
            failures++;
            connection.trouble("The storage does not say up to where was read", "", false);
            thread.rest(AWAY.pause(failures - 1, settings.ids()));
        } catch (RuntimeException e) {
            failures++;
            connection.readingFailed(e);
            thread.rest(AWAY.pause(failures - 1, settings.ids()));
        }
        return Optional.empty();
    }

    private Duration after(SlackError e) {
        failures++;
        String what = String.valueOf(e.getMessage());
        if (e.isLimit()) {
            return e.retryAfter().orElse(AWAY.pause(failures - 1, settings.ids()));
        }
        if (e.isUnauthorized()) {
            connection.trouble(what, "Put the app's tokens into the environment and start again.", true);
            return REFUSED.pause(failures - 1, settings.ids());
        }
        connection.trouble(
                what,
                e.isSpoken() ? "" : "Look whether platforms.slack.base_url is the Web API's address.",
                failures > 1);
        return AWAY.pause(failures - 1, settings.ids());
    }
}
