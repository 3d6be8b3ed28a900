package dev.parley.adapter.whatsappcloud;

import dev.parley.adapter.kit.api.ApiClient;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.flow.Connection;
import dev.parley.adapter.kit.flow.ReadingThread;
import dev.parley.adapter.whatsappcloud.api.GraphApi;
import dev.parley.adapter.whatsappcloud.api.GraphError;
import dev.parley.application.actor.Backoff;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import java.time.Duration;

/**
 * Looks whether Meta answers for the number, for one start: until it does, and again whenever something could not be sent. What people
 * write comes in all the while. Safe for concurrent use.
 */
final class Watch {
    private static final Backoff AGAIN = new Backoff(Duration.ofSeconds(1), 6);
    private static final Duration IDLE = Duration.ofHours(1);
    private static final String AWAY = "Meta's Graph API does not answer";

    private final GraphApi api;
    private final WhatsAppCloudSettings cloud;
    private final ProviderSettings settings;
    private final Connection connection;
    private final ReadingThread thread;
    private volatile boolean well;

    Watch(GraphApi api, WhatsAppCloudSettings cloud, ProviderSettings settings, Connection connection) {
        this.api = api;
        this.cloud = cloud;
        this.settings = settings;
        this.connection = connection;
        this.thread = new ReadingThread("whatsapp-cloud", settings.timers(), settings.ids(), connection::readingFailed);
    }

    private enum Look {
        ANSWERS,
        AWAY,
        WRONG_TOKEN,
        WRONG_NUMBER
    }

    /**
     * Looks for the first time; returns whether Meta answers.
     *
     * @throws InvalidRequest where token or number are wrong
     */
    boolean first() {
        Look seen = look(
                ApiClient.FIRST_ANSWER.compareTo(cloud.patience()) < 0 ? ApiClient.FIRST_ANSWER : cloud.patience());
        if (seen == Look.WRONG_TOKEN || seen == Look.WRONG_NUMBER) {
            throw new InvalidRequest(words(seen) + "; " + advice(seen));
        }
        return seen == Look.ANSWERS;
    }

    /** Begins to look by itself. */
    void start(boolean answers) {
        thread.start(() -> run(answers));
    }

    /** Looks at once, since something could not be sent. */
    void look() {
        well = false;
        thread.wake();
    }

    void stop() {
        thread.stop();
    }

    private void run(boolean answers) {
        int failures = 0;
        tell(answers ? Look.ANSWERS : Look.AWAY);
        while (!thread.isStopped()) {
            thread.pause(well ? IDLE : AGAIN.pause(failures++, settings.ids()));
            if (thread.isStopped()) {
                return;
            }
            tell(look(cloud.patience()));
            failures = well ? 0 : failures;
        }
    }

    private void tell(Look seen) {
        if (seen == Look.ANSWERS) {
            well = true;
            connection.up();
        } else {
            well = false;
            connection.trouble(words(seen), seen == Look.AWAY ? "" : advice(seen), seen != Look.AWAY);
        }
    }

    private Look look(Duration timeout) {
        try {
            api.number(timeout);
            return Look.ANSWERS;
        } catch (GraphError e) {
            if (e.isUnauthorized()) {
                return Look.WRONG_TOKEN;
            }
            if (e.isUnknownObject()) {
                return Look.WRONG_NUMBER;
            }
            return e.isAway() ? Look.AWAY : Look.ANSWERS;
        } catch (ApiFailure e) {
            return Look.AWAY;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Look.AWAY;
        }
    }

    private String words(Look seen) {
        return switch (seen) {
            case WRONG_TOKEN -> "Meta does not take the access token in " + cloud.tokenVariable();
            case WRONG_NUMBER -> "Meta knows no number " + cloud.number() + " that the access token may use";
            default -> AWAY;
        };
    }

    private String advice(Look seen) {
        return seen == Look.WRONG_TOKEN
                ? "make a new one for a system user, since those that the app's pages show end after a day, and start again."
                : "copy the phone number's id into " + settings.nameOf(WhatsAppCloudSettings.NUMBER)
                        + ", and give the system user the WhatsApp account.";
    }
}
