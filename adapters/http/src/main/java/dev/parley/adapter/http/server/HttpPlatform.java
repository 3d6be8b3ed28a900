package dev.parley.adapter.http.server;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.spi.WebSurface;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import io.javalin.Javalin;
import io.javalin.http.servlet.JavalinServlet;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.jspecify.annotations.Nullable;

/**
 * Receives messages over HTTP. A caller that waits is answered on its connection. Besides, every message is posted to the callback where one
 * is configured; else it can be polled with {@code GET /v1/messages}. It is already stored, so {@link #send} returns at once.
 */
final class HttpPlatform implements ChatPlatform {
    private static final int MOST_CHATS = 1000;
    private static final int MOST_MESSAGES = 1000;
    private static final long STOP_MILLIS = 2_000;
    /** How many connections may wait to be accepted. */
    private static final int QUEUE = 1_024;

    private final ProviderSettings settings;
    private final HttpSettings http;
    private final SentMessages sentMessages = new SentMessages(MOST_CHATS, MOST_MESSAGES);
    private final Optional<Callback> callback;
    private @Nullable Listening listening;

    private record Listening(
            Server server, GracefulHandler graceful, Gate gate, Surfaces surfaces, Messages messages, URI address) {}

    HttpPlatform(ProviderSettings settings, HttpSettings http) {
        this.settings = settings;
        this.http = http;
        this.callback = http.callback()
                .map(to -> new Callback(to, http.callbackSecret(), settings.clock(), settings.executor()));
    }

    @Override
    public Platform name() {
        return Platform.WEBHOOK;
    }

    @Override
    public Set<Platform> bridges() {
        Set<Platform> bridges = new HashSet<>(http.bridges().keySet());
        bridges.add(Platform.LOCAL);
        return bridges;
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public Traits traits() {
        return new Traits(false, false, true).carryingFiles();
    }

    @Override
    public synchronized Optional<URI> address() {
        return current().map(Listening::address);
    }

    @Override
    public synchronized void start(InboundListener listener) {
        InetAddress bind = http.address(settings);
        if (!bind.isLoopbackAddress()) {
            settings.warnings()
                    .accept(settings.nameOf(HttpSettings.BIND) + ": " + http.bind()
                            + " can be reached by others, and tokens cross the network readably; put a proxy with TLS before"
                            + " it.");
        }
        Guard guard = new Guard(
                http,
                bind,
                AccessToken.kept(GatewayClient.tokenFile(settings.home()), settings.warnings()),
                AccessToken.kept(GatewayClient.readerTokenFile(settings.home()), settings.warnings()));
        Messages messages = new Messages(settings, http, sentMessages, listener);
        Listening begun = listen(bind, guard, messages);
        announce(begun.address());
        listening = begun;
        listener.connected(Platform.WEBHOOK);
    }

    private Listening listen(InetAddress bind, Guard guard, Messages messages) {
        if (http.port().isPresent()) {
            return listen(bind, http.port().get(), guard, messages);
        }
        try {
            return listen(bind, HttpSettings.USUAL_PORT, guard, messages);
        } catch (InvalidRequest taken) {
            return listen(bind, 0, guard, messages);
        }
    }

    private Listening listen(InetAddress bind, int port, Guard guard, Messages messages) {
        Javalin routes = Javalin.create(config -> {
            config.startup.showJavalinBanner = false;
            config.startup.showOldJavalinVersionWarning = false;
            config.startup.startupWatcherEnabled = false;
            config.http.prefer405over404 = true;
            config.http.maxRequestSize = http.bodyLimit();
            config.http.defaultContentType = "application/json";
            new Endpoints(settings, messages).addTo(config.routes);
        });
        ServletContextHandler context = new ServletContextHandler(ServletContextHandler.NO_SESSIONS);
        context.addServlet(new ServletHolder(new JavalinServlet(routes.unsafe)), "/*");
        Server server = new Server();
        ServerConnector connector = connector(server, port);
        List<WebSurface> shown = settings.surfaces().stream()
                .filter(surface -> http.shows(surface.path().substring(1)))
                .toList();
        Door door = new Door(http, settings, guard, connector::getLocalPort);
        Surfaces surfaces = new Surfaces(shown, settings, door, Math.max(1, http.connections() / 2));
        surfaces.setHandler(context);
        Gate gate = new Gate(http, guard, door, shown);
        gate.setHandler(surfaces);
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(http.connections(), server));
        GracefulHandler graceful = new GracefulHandler(gate);
        server.setHandler(graceful);
        server.setErrorHandler(new PlainErrors(messages::isStopping, settings.warnings()));
        start(server, port);
        URI address = URI.create("http://" + host(bind) + ":" + connector.getLocalPort());
        return new Listening(server, graceful, gate, surfaces, messages, address);
    }

    private void start(Server server, int port) {
        try {
            server.start();
        } catch (Exception e) {
            stop(server);
            throw new InvalidRequest(
                    isTaken(e)
                            ? settings.nameOf(HttpSettings.PORT) + ": port " + port + " on " + http.bind()
                                    + " is in use; choose another one, or 0 for any that is free."
                            : settings.nameOf(HttpSettings.BIND) + ": cannot listen on " + http.bind() + " port " + port
                                    + " (" + root(e) + ").");
        }
    }

    private void stop(Server server) {
        try {
            server.stop();
        } catch (Exception e) {
            settings.warnings().accept("The HTTP interface did not stop in order: " + root(e));
        }
    }

    private void answerTheLast(GracefulHandler requests) {
        try {
            requests.shutdown().get(STOP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            settings.warnings().accept("A caller over HTTP did not take its last answer in time.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A connection that never gets a request together is closed, however busy it seems. */
    private ServerConnector connector(Server server, int port) {
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(configuration));
        connector.setHost(http.bind());
        connector.setPort(port);
        connector.setAcceptQueueSize(QUEUE);
        connector.setIdleTimeout(http.idleTime().toMillis());
        connector.addBean(new Connection.Listener() {
            @Override
            public void onOpened(Connection connection) {
                connector
                        .getScheduler()
                        .schedule(
                                () -> closeIfSilent(connection), http.idleTime().toMillis(), TimeUnit.MILLISECONDS);
            }
        });
        return connector;
    }

    private static void closeIfSilent(Connection connection) {
        if (connection.getMessagesIn() == 0) {
            connection.getEndPoint().close();
        }
    }

    private static boolean isTaken(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException
                    && String.valueOf(cause.getMessage()).contains("in use")) {
                return true;
            }
        }
        return false;
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        for (Throwable cause = root.getCause(); cause != null; cause = root.getCause()) {
            root = cause;
        }
        return root;
    }

    private static String host(InetAddress bind) {
        if (bind.isAnyLocalAddress()) {
            return "127.0.0.1";
        }
        String address = bind.getHostAddress();
        return address.contains(":") ? "[" + address + "]" : address;
    }

    /**
     * Programs of the same owner find the gateway by this file; without it they must be told. They send their token there, so nobody else may
     * write it: a temporary file is its owner's only.
     */
    private void announce(URI address) {
        try {
            Path made = Files.createTempFile(settings.home(), ".http-address", ".new");
            try {
                Files.writeString(made, address + "\n");
                Files.move(
                        made,
                        GatewayClient.addressFile(settings.home()),
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(made);
            }
        } catch (IOException e) {
            settings.warnings().accept("The address " + address + " could not be written into the home: " + e);
        }
    }

    @Override
    public void send(Outgoing message) {
        Listening now = current()
                .orElseThrow(() -> new DeliveryFailed(
                        "The HTTP interface is stopped; message " + message.id().value() + " waits.", false, null));
        sentMessages.sent(message);
        now.messages().tell(message);
        callback.ifPresent(to -> to.post(message));
    }

    private synchronized Optional<Listening> current() {
        return Optional.ofNullable(listening);
    }

    /** Answers everybody who waits, as far as they take it within two seconds, and then stops listening. */
    @Override
    public void stop() {
        Optional<Listening> last = current();
        if (last.isEmpty()) {
            return;
        }
        synchronized (this) {
            listening = null;
        }
        last.get().messages().stop();
        last.get().surfaces().endStreams();
        last.get().gate().stopReading();
        answerTheLast(last.get().graceful());
        stop(last.get().server());
        Path file = GatewayClient.addressFile(settings.home());
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            settings.warnings().accept(file + " could not be deleted: " + e);
        }
    }
}
