package dev.parley.adapter.whatsappcloud.webhook;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;

/** The server behind the webhook, for one start. Jetty itself: one path needs no routes. */
public final class WebhookServer {
    private static final Door.Patience PATIENCE = new Door.Patience(Duration.ofSeconds(10), Duration.ofSeconds(20));
    private static final Duration IDLE = Duration.ofSeconds(60);
    private static final long STOP_MILLIS = 2_000;
    private static final int MOST_CONNECTIONS = 512;

    private final Listening where;
    private final ProviderSettings settings;
    private final Door door;
    private final Server server = new Server();
    private final ServerConnector connector;
    private final GracefulHandler requests;

    /**
     * A server that does not listen yet.
     *
     * @param where where it listens
     * @param settings names the settings and takes warnings
     * @param signature what posts are signed with
     * @param verifyToken what Meta shows when the webhook is set up
     * @param posts takes what is posted
     * @param wrongSignature told of each post whose signature does not fit
     */
    public WebhookServer(
            Listening where,
            ProviderSettings settings,
            Signature signature,
            String verifyToken,
            Posts posts,
            Runnable wrongSignature) {
        this(where, settings, new Door(where.path(), signature, verifyToken, posts, wrongSignature, PATIENCE));
    }

    WebhookServer(Listening where, ProviderSettings settings, Door door) {
        this.where = where;
        this.settings = settings;
        this.door = door;
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        connector = new ServerConnector(server, new HttpConnectionFactory(configuration));
        connector.setHost(where.bind().getHostAddress());
        connector.setPort(where.port());
        connector.setIdleTimeout(IDLE.toMillis());
        requests = new GracefulHandler(door);
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, server));
        server.setHandler(requests);
        server.setErrorHandler(new Silent());
    }

    /** What Jetty itself refuses, such as a malformed request, learns nothing of its insides. */
    private static final class Silent extends ErrorHandler {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
            response.write(true, null, callback);
            return true;
        }
    }

    /**
     * Begins to listen and returns the webhook's address.
     *
     * @throws InvalidRequest where it cannot listen there
     */
    public URI start() {
        try {
            server.start();
        } catch (Exception e) {
            end();
            throw new InvalidRequest("The webhook cannot listen on "
                    + where.bind().getHostAddress() + " port " + where.port() + " (" + root(e) + "); give "
                    + settings.nameOf("port") + " a port that is free, and have the proxy before it pass on to that.");
        }
        return where.address(connector.getLocalPort());
    }

    /** Answers what is under way, as far as it is taken within two seconds, and stops listening. */
    public void stop() {
        door.close();
        try {
            requests.shutdown().get(STOP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // Meta posts again what it has no answer to.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        end();
    }

    private void end() {
        try {
            server.stop();
        } catch (Exception e) {
            settings.warnings().accept(settings.path() + ": The webhook did not stop in order: " + root(e));
        }
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        for (Throwable cause = root.getCause(); cause != null; cause = root.getCause()) {
            root = cause;
        }
        return root;
    }
}
