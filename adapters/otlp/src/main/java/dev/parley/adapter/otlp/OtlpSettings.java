package dev.parley.adapter.otlp;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Where traces go and what is in them. A setting of Parley goes before the standard variable of OpenTelemetry, since a variable may
 * be set for all programs of a machine.
 *
 * @param endpoint where spans are sent
 * @param headers sent along, secrets among them
 * @param service the service's name
 * @param attributes further attributes of the service
 * @param ratio the share of the turns that are traced, 0 to 1
 * @param gzip whether what is sent is compressed
 * @param timeout how long the collector may take for a batch
 * @param delay how long spans gather before they are sent
 * @param plainIds whether lanes and chats are named by their ids
 * @param content whether texts of people and agents are sent
 */
record OtlpSettings(
        URI endpoint,
        Map<String, String> headers,
        String service,
        Map<String, String> attributes,
        double ratio,
        boolean gzip,
        Duration timeout,
        Duration delay,
        boolean plainIds,
        boolean content) {
    private static final String ENABLED = "enabled";
    private static final String ENDPOINT = "endpoint";
    private static final String SERVICE = "service_name";
    private static final String RATIO = "ratio";
    private static final String IDS = "ids";
    private static final String CONTENT = "content";
    private static final String TRACE_URL = "trace_url";
    static final Set<String> NAMES = Set.of(ENABLED, ENDPOINT, SERVICE, RATIO, IDS, CONTENT, TRACE_URL);

    /** Stands in the address of a trace where the trace's id goes. */
    private static final String TRACE = "{trace}";

    private static final Pattern ADDRESS = Pattern.compile("https?://[^/?#@]*([/?#].*)?");
    private static final String PATH = "/v1/traces";
    private static final Set<String> YES = Set.of("true", "yes", "on", "1");
    private static final Set<String> NO = Set.of("false", "no", "off", "0");

    OtlpSettings {
        headers = Map.copyOf(headers);
        attributes = Map.copyOf(attributes);
    }

    /**
     * Reads the settings; absent where no collector is named, or traces are switched off.
     *
     * @throws InvalidRequest where a setting, or a variable that is used, cannot be read
     */
    static Optional<OtlpSettings> read(ProviderSettings settings) {
        boolean enabled = yes(settings, ENABLED, true);
        boolean plainIds = word(settings, IDS, "hash", Set.of("hash", "plain")).equals("plain");
        boolean content = yes(settings, CONTENT, false);
        double ratio = ratio(settings);
        settings.value(TRACE_URL).ifPresent(text -> checkTraceUrl(settings.nameOf(TRACE_URL), text));
        Optional<URI> endpoint = endpoint(settings);
        Variables variables = new Variables(settings.environment());
        if (!enabled || endpoint.isEmpty() || variables.switchTracesOff()) {
            return Optional.empty();
        }
        return Optional.of(new OtlpSettings(
                endpoint.get(),
                variables.pairs("OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"),
                settings.value(SERVICE)
                        .or(() -> variables.text("OTEL_SERVICE_NAME"))
                        .orElse("parley"),
                variables.pairs("OTEL_RESOURCE_ATTRIBUTES", "OTEL_RESOURCE_ATTRIBUTES"),
                ratio,
                variables
                        .text("OTEL_EXPORTER_OTLP_TRACES_COMPRESSION")
                        .or(() -> variables.text("OTEL_EXPORTER_OTLP_COMPRESSION"))
                        .filter("gzip"::equalsIgnoreCase)
                        .isPresent(),
                variables.millis(10_000, "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"),
                variables.millis(5_000, "OTEL_BSP_SCHEDULE_DELAY"),
                plainIds,
                content));
    }

    /** Surfaces make links of it, so it is to be an address that a browser may follow, and that everybody may read who is shown them. */
    private static void checkTraceUrl(String name, String text) {
        String address = text.strip().toLowerCase(Locale.ROOT);
        if (!ADDRESS.matcher(address).matches() || !address.contains(TRACE)) {
            throw new InvalidRequest(name + " is not the address of a trace; write https://HOST/PATH/" + TRACE
                    + ", with " + TRACE + " where the trace's id goes, and without a user or a password.");
        }
    }

    private static Optional<URI> endpoint(ProviderSettings settings) {
        Optional<String> own = settings.value(ENDPOINT);
        if (own.isPresent()) {
            return Optional.of(below(uri(settings.nameOf(ENDPOINT), own.get())));
        }
        Variables variables = new Variables(settings.environment());
        Optional<String> whole = variables.text("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
        Optional<String> base = variables.text("OTEL_EXPORTER_OTLP_ENDPOINT");
        if (whole.isEmpty() && base.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> protocol = variables
                .text("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")
                .or(() -> variables.text("OTEL_EXPORTER_OTLP_PROTOCOL"))
                .filter(word -> !word.equals("http/protobuf"));
        if (protocol.isPresent()) {
            settings.warnings()
                    .accept("No traces are sent: OTEL_EXPORTER_OTLP_PROTOCOL asks for " + protocol.get()
                            + ", and http/protobuf is what is spoken here; name the collector's address for that in "
                            + settings.nameOf(ENDPOINT) + ".");
            return Optional.empty();
        }
        return whole.map(text -> uri("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", text))
                .or(() -> base.map(text -> below(uri("OTEL_EXPORTER_OTLP_ENDPOINT", text))));
    }

    /** A base address is completed by the path of traces; an address that ends in it is complete. */
    private static URI below(URI base) {
        String text = base.toString();
        String trimmed = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        return URI.create(trimmed.endsWith(PATH) ? trimmed : trimmed + PATH);
    }

    private static URI uri(String name, String text) {
        try {
            URI uri = new URI(text.strip());
            String scheme = Optional.ofNullable(uri.getScheme()).orElse("");
            boolean http = scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https");
            boolean plain = uri.getUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
            if (http && uri.getHost() != null && plain) {
                return uri;
            }
        } catch (URISyntaxException notAnAddress) {
            // Told below; the address may hold a secret, so it is not repeated.
        }
        throw new InvalidRequest(
                name + " is not the address of a collector; write http://HOST:4318 or https://HOST/PATH, and"
                        + " secrets into OTEL_EXPORTER_OTLP_HEADERS.");
    }

    private static double ratio(ProviderSettings settings) {
        Optional<String> own = settings.value(RATIO);
        if (own.isPresent()) {
            return share(settings.nameOf(RATIO), own.get());
        }
        Variables variables = new Variables(settings.environment());
        return switch (variables.text("OTEL_TRACES_SAMPLER").orElse("parentbased_always_on")) {
            case "always_off", "parentbased_always_off" -> 0;
            case "traceidratio", "parentbased_traceidratio" ->
                variables
                        .text("OTEL_TRACES_SAMPLER_ARG")
                        .map(text -> share("OTEL_TRACES_SAMPLER_ARG", text))
                        .orElse(1.0);
            default -> 1;
        };
    }

    private static double share(String name, String text) {
        try {
            double value = Double.parseDouble(text);
            if (value >= 0 && value <= 1) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // Told below.
        }
        throw new InvalidRequest(name + " is \"" + text + "\"; write the share of turns to trace, from 0 to 1.");
    }

    private static boolean yes(ProviderSettings settings, String name, boolean byDefault) {
        Optional<String> word = settings.value(name).map(text -> text.toLowerCase(Locale.ROOT));
        if (word.isPresent() && !YES.contains(word.get()) && !NO.contains(word.get())) {
            throw new InvalidRequest(settings.nameOf(name) + " is \"" + word.get() + "\"; write true or false.");
        }
        return word.map(YES::contains).orElse(byDefault);
    }

    private static String word(ProviderSettings settings, String name, String byDefault, Set<String> words) {
        String word =
                settings.value(name).map(text -> text.toLowerCase(Locale.ROOT)).orElse(byDefault);
        if (!words.contains(word)) {
            throw new InvalidRequest(settings.nameOf(name) + " is \"" + word + "\"; write "
                    + String.join(" or ", words.stream().sorted().toList()) + ".");
        }
        return word;
    }

    /** The collector for people: without path, which may hold a secret. */
    String collector() {
        return endpoint.getScheme() + "://" + endpoint.getAuthority();
    }

    /**
     * The standard variables; blank counts as not set.
     *
     * @param all the environment
     */
    private record Variables(Map<String, String> all) {
        Optional<String> text(String name) {
            return Optional.ofNullable(all.get(name)).map(String::strip).filter(text -> !text.isEmpty());
        }

        boolean switchTracesOff() {
            return text("OTEL_SDK_DISABLED").filter("true"::equalsIgnoreCase).isPresent()
                    || text("OTEL_TRACES_EXPORTER").filter("none"::equals).isPresent();
        }

        /** Pairs such as {@code a=b,c=d}, percent-encoded; those of the second variable go before those of the first. */
        Map<String, String> pairs(String general, String special) {
            Map<String, String> pairs = new LinkedHashMap<>();
            for (String name : new String[] {general, special}) {
                for (String pair : text(name).orElse("").split(",", -1)) {
                    int equals = pair.indexOf('=');
                    if (equals > 0) {
                        pairs.put(pair.substring(0, equals).strip(), decoded(name, pair.substring(equals + 1)));
                    } else if (!pair.isBlank()) {
                        throw new InvalidRequest(name + " is not a list such as NAME=VALUE,NAME=VALUE.");
                    }
                }
            }
            return pairs;
        }

        private static String decoded(String name, String text) {
            try {
                return URLDecoder.decode(text.strip().replace("+", "%2B"), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException notEncoded) {
                throw new InvalidRequest(name + " holds a value that is not percent-encoded.");
            }
        }

        Duration millis(long byDefault, String... names) {
            for (String name : names) {
                Optional<String> text = text(name);
                if (text.isPresent()) {
                    try {
                        return Duration.ofMillis(Math.max(1, Math.min(60_000, Long.parseLong(text.get()))));
                    } catch (NumberFormatException notANumber) {
                        throw new InvalidRequest(name + " is \"" + text.get() + "\"; write milliseconds.");
                    }
                }
            }
            return Duration.ofMillis(byDefault);
        }
    }
}
