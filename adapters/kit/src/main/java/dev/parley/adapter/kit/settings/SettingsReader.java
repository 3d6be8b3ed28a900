package dev.parley.adapter.kit.settings;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads a platform's section. Each value that cannot be is refused with one line that names the setting and says what it may be. No
 * line shows a secret.
 */
public final class SettingsReader {
    private static final int MOST_PORT = 65_535;

    private final ProviderSettings settings;

    /** Reads this section. */
    public SettingsReader(ProviderSettings settings) {
        this.settings = settings;
    }

    /** Returns whether something is switched on: {@code true}, {@code yes}, {@code on} or {@code 1}. */
    public boolean flag(String name, boolean usual) {
        String text = one(name).orElse(String.valueOf(usual)).toLowerCase(Locale.ROOT);
        return switch (text) {
            case "true", "yes", "on", "1" -> true;
            case "false", "no", "off", "0" -> false;
            default -> throw new InvalidRequest(settings.nameOf(name) + ": '" + text + "' is neither true nor false.");
        };
    }

    /** Returns the words of a list, which commas, blanks, brackets and quotes may separate; empty where the section does not say. */
    public Set<String> list(String name) {
        return Arrays.stream(settings.value(name).orElse("").split("[,\\s\\[\\]\"']+", -1))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns one of some words, in lower case. */
    public String word(String name, String usual, List<String> words) {
        String text = one(name).orElse(usual).toLowerCase(Locale.ROOT);
        if (!words.contains(text)) {
            throw new InvalidRequest(
                    settings.nameOf(name) + ": '" + text + "' is none of " + String.join(", ", words) + ".");
        }
        return text;
    }

    /** Returns a whole number between two limits, both possible. */
    public int number(String name, int usual, int least, int most) {
        return number(name, usual, least, most, "a whole number");
    }

    /** Returns a time in whole seconds between two limits, both possible. */
    public Duration seconds(String name, int usual, int least, int most) {
        return Duration.ofSeconds(number(name, usual, least, most, "a whole number of seconds"));
    }

    private int number(String name, int usual, int least, int most, String what) {
        Optional<String> text = one(name);
        if (text.isEmpty()) {
            return usual;
        }
        try {
            int value = Integer.parseInt(text.get());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // Said below, together with numbers out of range.
        }
        throw new InvalidRequest(settings.nameOf(name) + ": '" + text.get() + "' is not " + what + " from " + least
                + " to " + most + "; leave it out for the usual " + usual + ".");
    }

    /**
     * Returns the address of a server, without a slash at its end. Warns where what is secret would cross a network readably.
     *
     * @param name the setting
     * @param text what stands there, or the usual address
     * @param secret what the address must not carry openly, such as "the bot's token"
     * @param example an address as it may be
     */
    public URI address(String name, String text, String secret, String example) {
        try {
            URI uri = URI.create(text.replaceAll("/+$", ""));
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            boolean plain = uri.getRawQuery() == null && uri.getRawFragment() == null && uri.getRawUserInfo() == null;
            if (uri.getHost() != null
                    && uri.getPort() <= MOST_PORT
                    && plain
                    && (scheme.equals("http") || scheme.equals("https"))) {
                if (scheme.equals("http") && !isLoopback(uri.getHost())) {
                    settings.warnings()
                            .accept(settings.nameOf(name) + " begins with http://, so " + secret
                                    + " crosses the network readably; use https://.");
                }
                return uri;
            }
        } catch (IllegalArgumentException notAnAddress) {
            // Said below, together with addresses of another kind.
        }
        throw new InvalidRequest(settings.nameOf(name)
                + " is not an address that begins with http:// or https://, such as " + example + ".");
    }

    /** Returns the name of the environment variable that holds a secret. */
    public String variable(String name, String usual) {
        return one(name).orElse(usual);
    }

    /** Returns a value where one is all there may be: nobody has a second account by a list of two. */
    private Optional<String> one(String name) {
        Optional<String> text = settings.value(name);
        if (text.filter(value -> value.contains("\n")).isPresent()) {
            throw new InvalidRequest(settings.nameOf(name) + " is a list; it takes one value.");
        }
        return text;
    }

    /**
     * Returns a secret from the environment.
     *
     * @param variable the variable
     * @param form what a secret of this kind looks like
     * @param unset what to do where the variable is not set, as the rest of a sentence
     * @param wrong why it is none where it has another form, as the rest of a sentence
     */
    public Secret secret(String variable, Pattern form, String unset, String wrong) {
        String text = Optional.ofNullable(settings.environment().get(variable))
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .orElseThrow(() ->
                        new InvalidRequest("The environment variable " + variable + " is not set; " + unset + "."));
        if (!form.matcher(text).matches()) {
            throw new InvalidRequest("The environment variable " + variable + " holds " + wrong + ".");
        }
        return new Secret(text);
    }

    /** Returns whether an address's host is this machine; looks at what is written and asks no name server. */
    public static boolean isLoopback(String host) {
        String plain = host.replace("[", "").replace("]", "");
        return plain.equals("localhost")
                || (plain.matches("[0-9.]+|[0-9a-fA-F:]*:[0-9a-fA-F:]*") && isLoopbackAddress(plain));
    }

    private static boolean isLoopbackAddress(String literal) {
        try {
            return InetAddress.getByName(literal).isLoopbackAddress();
        } catch (UnknownHostException notAnAddress) {
            return false;
        }
    }
}
