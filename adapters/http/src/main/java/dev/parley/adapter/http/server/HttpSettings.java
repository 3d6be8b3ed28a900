package dev.parley.adapter.http.server;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.Platforms;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of the HTTP platform.
 *
 * @param bind the address to listen on; loopback unless set
 * @param port the port to listen on; 0 means any free one; absent means the usual one, or any free one where that is taken
 * @param hosts names that a {@code Host} header may hold beside the loopback names, in lower case
 * @param answerLimit how long a request that waits is kept waiting
 * @param bodyLimit the most bytes of a request's body
 * @param bodyTime how long a request's body may take to arrive
 * @param idleTime how long a connection may be idle between requests, and take until its first request is whole
 * @param connections the most connections at a time; more wait to be accepted
 * @param callback where messages are posted; absent means that they are kept for asking
 * @param callbackSecret what posts to the callback are signed with; absent means that they are not signed
 * @param publicUrl the address people call it by, where a proxy stands before it
 * @param switches how each surface is set, by its name: {@code on}, {@code off} or {@code read_only}
 * @param bridges the platforms in whose names messages may be handed in, each with the token to show
 */
record HttpSettings(
        String bind,
        Optional<Integer> port,
        Set<String> hosts,
        Duration answerLimit,
        int bodyLimit,
        Duration bodyTime,
        Duration idleTime,
        int connections,
        Optional<URI> callback,
        Optional<CallbackSecret> callbackSecret,
        Optional<URI> publicUrl,
        Map<String, String> switches,
        Map<Platform, AccessToken> bridges) {
    static final int USUAL_PORT = 8787;
    static final String BIND = "bind";
    static final String PORT = "port";

    private static final String HOSTS = "hosts";
    private static final String ANSWER_LIMIT = "answer_timeout";
    private static final String BODY_LIMIT = "max_body_bytes";
    private static final String BODY_TIME = "body_timeout";
    private static final String IDLE_TIME = "idle_timeout";
    private static final String CONNECTIONS = "max_connections";
    private static final String CALLBACK = "callback_url";
    private static final String CALLBACK_SECRET = "callback_secret";
    private static final String BRIDGES = "bridge_tokens";
    private static final String PUBLIC_URL = "public_url";
    private static final String CONSOLE = "console";
    private static final String METRICS = "metrics";
    private static final String READ_ONLY = "read_only";
    private static final int SHORTEST_TOKEN = 16;

    /** The names of all settings; bridge tokens stand below theirs, by platform. */
    static final Set<String> NAMES = Set.of(
            BIND,
            PORT,
            HOSTS,
            ANSWER_LIMIT,
            BODY_LIMIT,
            BODY_TIME,
            IDLE_TIME,
            CONNECTIONS,
            CALLBACK,
            CALLBACK_SECRET,
            PUBLIC_URL,
            CONSOLE,
            METRICS,
            BRIDGES + ".*");

    HttpSettings {
        hosts = Set.copyOf(hosts);
        switches = Map.copyOf(switches);
        bridges = Map.copyOf(bridges);
    }

    /** Returns whether a surface is shown: unless it is switched off. */
    boolean shows(String surface) {
        return !"off".equals(switches.get(surface));
    }

    /** Returns whether nobody acts through a surface; where it can be reached from elsewhere, unless it is switched on. */
    boolean isReadOnly(String surface) {
        String usual = isLoopback() ? "on" : READ_ONLY;
        return READ_ONLY.equals(switches.getOrDefault(surface, usual));
    }

    private boolean isLoopback() {
        return bind.equals("127.0.0.1") || bind.equals("localhost") || bind.equals("::1");
    }

    static HttpSettings of(ProviderSettings settings) {
        return new HttpSettings(
                settings.value(BIND).orElse("127.0.0.1"),
                settings.value(PORT).map(text -> number(settings, PORT, text, 0, 65535)),
                hosts(settings.value(HOSTS).orElse("")),
                Duration.ofSeconds(settings.value(ANSWER_LIMIT)
                        .map(text -> number(settings, ANSWER_LIMIT, text, 1, 86400))
                        .orElse(120)),
                settings.value(BODY_LIMIT)
                        .map(text -> number(settings, BODY_LIMIT, text, 1024, 64 << 20))
                        .orElse(1 << 20),
                Duration.ofSeconds(settings.value(BODY_TIME)
                        .map(text -> number(settings, BODY_TIME, text, 1, 3600))
                        .orElse(30)),
                Duration.ofSeconds(settings.value(IDLE_TIME)
                        .map(text -> number(settings, IDLE_TIME, text, 1, 3600))
                        .orElse(30)),
                settings.value(CONNECTIONS)
                        .map(text -> number(settings, CONNECTIONS, text, 10, 100_000))
                        .orElse(2_000),
                settings.value(CALLBACK).map(text -> address(settings, CALLBACK, text)),
                settings.value(CALLBACK_SECRET).map(text -> secret(settings, text)),
                settings.value(PUBLIC_URL).map(text -> address(settings, PUBLIC_URL, text)),
                switches(settings),
                bridges(settings));
    }

    /** Returns the address to listen on, resolved. */
    InetAddress address(ProviderSettings settings) {
        try {
            return InetAddress.getByName(bind);
        } catch (UnknownHostException e) {
            throw new InvalidRequest(settings.nameOf(BIND) + ": '" + bind
                    + "' is no address of this machine; use 127.0.0.1 for loopback.");
        }
    }

    private static int number(ProviderSettings settings, String name, String text, int least, int most) {
        try {
            int value = Integer.parseInt(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // Said below, together with numbers out of range.
        }
        throw new InvalidRequest(settings.nameOf(name) + ": '" + text + "' is not a whole number from " + least + " to "
                + most + "; leave it out for the usual value.");
    }

    private static Set<String> hosts(String text) {
        Set<String> hosts = new HashSet<>();
        for (String name : text.split("[,\\s\\[\\]]+", -1)) {
            if (!name.isEmpty()) {
                hosts.add(name.toLowerCase(Locale.ROOT));
            }
        }
        return hosts;
    }

    private static URI address(ProviderSettings settings, String name, String text) {
        try {
            URI uri = URI.create(text);
            if (uri.getRawUserInfo() != null) {
                throw new InvalidRequest(settings.nameOf(name) + " holds a user or a password, which would not be"
                        + " sent; take them out"
                        + (name.equals(CALLBACK) ? ", and sign with " + settings.nameOf(CALLBACK_SECRET) : "") + ".");
            }
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            if (uri.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
                return uri;
            }
        } catch (IllegalArgumentException notAnAddress) {
            // Said below, together with addresses of another kind.
        }
        throw new InvalidRequest(settings.nameOf(name) + " is not an address that begins with http:// or https://.");
    }

    private static Map<String, String> switches(ProviderSettings settings) {
        Map<String, String> switches = new HashMap<>();
        for (String name : List.of(CONSOLE, METRICS)) {
            settings.value(name).ifPresent(text -> switches.put(name, position(settings, name, text)));
        }
        return switches;
    }

    /** YAML reads on and off as truth values, so both spellings mean the same. */
    private static String position(ProviderSettings settings, String name, String text) {
        String word = switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> "on";
            case "false" -> "off";
            default -> text.toLowerCase(Locale.ROOT);
        };
        List<String> words = name.equals(CONSOLE) ? List.of("on", READ_ONLY, "off") : List.of("on", "off");
        if (!words.contains(word)) {
            throw new InvalidRequest(settings.nameOf(name) + ": '" + text + "' is none of " + String.join(", ", words)
                    + "; leave it out for the usual value.");
        }
        return word;
    }

    private static CallbackSecret secret(ProviderSettings settings, String text) {
        if (text.length() < SHORTEST_TOKEN) {
            throw new InvalidRequest(settings.nameOf(CALLBACK_SECRET) + " is too short for a secret; use at least "
                    + SHORTEST_TOKEN + " random characters.");
        }
        return new CallbackSecret(text);
    }

    private static Map<Platform, AccessToken> bridges(ProviderSettings settings) {
        Map<Platform, AccessToken> bridges = new HashMap<>();
        Set<String> tokens = new HashSet<>();
        for (String setting : settings.values().keySet().stream().sorted().toList()) {
            if (!setting.startsWith(BRIDGES + ".")) {
                continue;
            }
            String name = setting.substring(BRIDGES.length() + 1);
            Platform platform = Platforms.builtIn()
                    .find(name)
                    .orElseThrow(() -> new InvalidRequest(
                            settings.nameOf(setting) + ": '" + name + "' is not a platform that is known."));
            String token = settings.value(setting).orElse("");
            if (token.length() < SHORTEST_TOKEN) {
                throw new InvalidRequest(settings.nameOf(setting) + " is too short for a token; use at least "
                        + SHORTEST_TOKEN + " random characters.");
            }
            if (!tokens.add(token)) {
                throw new InvalidRequest(
                        settings.nameOf(setting) + " is the token of another platform as well; each needs its own.");
            }
            bridges.put(platform, new AccessToken(token));
        }
        return bridges;
    }
}
