package dev.parley.fakes.chaos;

import dev.parley.application.gateway.RandomIds;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.settings.BusyMode;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import dev.parley.application.spi.StorageSettings.Mode;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * What a gateway is started among. It is the same at each start but for {@code busy}.
 *
 * @param home the home of the gateway; its fallback belongs here too
 * @param data the directory of its store, which is full now and then where the user may mount a small file system
 * @param model where a server like OpenAI's listens: an address that ends with {@code /v1}
 * @param callback where the HTTP platform posts its messages
 * @param bridgeToken the token of a bridge for the platform {@code matrix}
 * @param busy what a message does that meets a running turn, drawn for each start; a gateway may do as it likes
 * @param telegram Telegram, where the gateway has that ability
 * @param slack Slack, where the gateway has that ability
 * @param clock the time of the run
 */
public record Around(
        Path home,
        Path data,
        URI model,
        URI callback,
        String bridgeToken,
        BusyMode busy,
        Optional<Bot> telegram,
        Optional<App> slack,
        InstantSource clock) {
    /**
     * A bot of Telegram.
     *
     * @param url where Telegram listens
     * @param token what it knows the bot by
     * @param people who may talk to it
     */
    public record Bot(String url, String token, List<String> people) {
        public Bot {
            people = List.copyOf(people);
        }
    }

    /**
     * An app of Slack.
     *
     * @param url where Slack listens
     * @param botToken the token it calls with
     * @param appToken the token it connects with
     * @param people who may talk to it
     */
    public record App(String url, String botToken, String appToken, List<String> people) {
        public App {
            people = List.copyOf(people);
        }
    }

    /** Returns the file of an SQLite store that other processes lock now and then. */
    public Path sqlite() {
        return data.resolve("state.db");
    }

    /**
     * Opens a store to be read only; its backend is found as a service.
     *
     * @param url its address, such as {@code sqlite:/home/state.db}; relative to {@link #home()}
     * @throws InvalidRequest where no backend that is here has the scheme
     */
    public Storage read(String url) {
        String[] parts = url.split(":", 2);
        StorageProvider provider = ServiceLoader.load(StorageProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.scheme().equals(parts[0]))
                .findFirst()
                .orElseThrow(
                        () -> new InvalidRequest("The storage address \"" + url + "\" names no backend that is here."));
        return provider.open(StorageSettings.builder(parts[1], home)
                .mode(Mode.READ_ONLY)
                .clock(clock)
                .ids(new RandomIds(new SecureRandom()))
                .threads(task -> {
                    Thread thread = new Thread(task, "evidence");
                    thread.setDaemon(true);
                    return thread;
                })
                .build());
    }
}
