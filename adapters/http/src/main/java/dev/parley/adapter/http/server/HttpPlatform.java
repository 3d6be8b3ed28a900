package dev.parley.adapter.http.server;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import io.javalin.Javalin;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.jspecify.annotations.Nullable;

/**
 * Receives messages over HTTP. A caller that waits is answered on its connection. Besides, every message is posted to the
 * callback where one is configured, and else kept for asking: it is stored before it is sent, so taking it is all there is to do.
 */
final class HttpPlatform implements ChatPlatform {
    private static final int MOST_CHATS = 1000;
    private static final int MOST_MESSAGES = 1000;
    private static final long IDLE_MILLIS = 30_000;
    private static final long STOP_MILLIS = 2_000;

    private final ProviderSettings settings;
    private final HttpSettings http;
    private final Mailbox mailbox = new Mailbox(MOST_CHATS, MOST_MESSAGES);
    private final Optional<Callback> callback;
    private @Nullable Running running;

    private record Running(Javalin server, Endpoints endpoints, URI address) {}

    HttpPlatform(ProviderSettings settings, HttpSettings http) {
        this.settings = settings;
        this.http = http;
        this.callback = http.callback().map(to -> new Callback(to, settings.executor()));
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
    public Traits traits() {
        return new Traits(false, false, true);
    }

    @Override
    public synchronized Optional<URI> address() {
        return Optional.ofNullable(running).map(Running::address);
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
        Guard guard = new Guard(http, bind, AccessToken.kept(settings.home(), settings.warnings()));
        Endpoints endpoints = new Endpoints(settings, http, guard, mailbox, listener);
        Javalin server = listen(endpoints);
        URI address = URI.create("http://" + host(bind) + ":" + server.port());
        announce(address);
        running = new Running(server, endpoints, address);
        listener.connected(Platform.WEBHOOK);
    }

    private Javalin listen(Endpoints endpoints) {
        if (http.port().isPresent()) {
            return listen(endpoints, http.port().get());
        }
        try {
            return listen(endpoints, HttpSettings.USUAL_PORT);
        } catch (InvalidRequest taken) {
            return listen(endpoints, 0);
        }
    }

    private Javalin listen(Endpoints endpoints, int port) {
        Javalin server = Javalin.create(config -> {
            config.startup.showJavalinBanner = false;
            config.startup.showOldJavalinVersionWarning = false;
            config.startup.startupWatcherEnabled = false;
            config.http.prefer405over404 = true;
            config.http.maxRequestSize = http.bodyLimit();
            config.http.defaultContentType = "application/json";
            config.jetty.host = http.bind();
            config.jetty.port = port;
            config.jetty.modifyHttpConfiguration(jetty -> jetty.setSendServerVersion(false));
            config.jetty.modifyServer(jetty -> prepare(jetty, endpoints));
            endpoints.addTo(config.routes);
        });
        try {
            return server.start();
        } catch (RuntimeException e) {
            server.stop();
            throw new InvalidRequest(
                    isTaken(e)
                            ? settings.nameOf(HttpSettings.PORT) + ": port " + port + " on " + http.bind()
                                    + " is in use; choose another one, or 0 for any that is free."
                            : settings.nameOf(HttpSettings.BIND) + ": cannot listen on " + http.bind() + " port " + port
                                    + " (" + root(e) + ").");
        }
    }

    private void prepare(Server server, Endpoints endpoints) {
        server.setErrorHandler(new PlainErrors(endpoints::isStopping, settings.warnings()));
        for (Connector connector : server.getConnectors()) {
            if (connector instanceof AbstractConnector each) {
                each.setIdleTimeout(IDLE_MILLIS + http.answerLimit().toMillis());
            }
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

    /** Programs of the same owner find the gateway by this file; without it they must be told. */
    private void announce(URI address) {
        try {
            Files.writeString(GatewayClient.addressFile(settings.home()), address + "\n");
        } catch (IOException e) {
            settings.warnings().accept("The address " + address + " could not be written into the home: " + e);
        }
    }

    @Override
    public void send(Outgoing message) {
        Running now = current()
                .orElseThrow(() -> new DeliveryFailed(
                        "The HTTP interface is stopped; message " + message.id().value() + " waits.", false, null));
        mailbox.sent(message);
        now.endpoints().tell(message);
        callback.ifPresent(to -> to.post(message));
    }

    private synchronized Optional<Running> current() {
        return Optional.ofNullable(running);
    }

    @Override
    public void stop() {
        Optional<Running> last = current();
        if (last.isEmpty()) {
            return;
        }
        synchronized (this) {
            running = null;
        }
        boolean somebodyWaits = last.get().endpoints().stop();
        last.get().server().jettyServer().server().setStopTimeout(somebodyWaits ? STOP_MILLIS : 0);
        try {
            last.get().server().stop();
        } catch (RuntimeException e) {
            settings.warnings().accept("A caller over HTTP did not take its last answer in time: " + root(e));
        }
        Path file = GatewayClient.addressFile(settings.home());
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            settings.warnings().accept(file + " could not be deleted: " + e);
        }
    }
}
