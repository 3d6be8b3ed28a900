package dev.parley.adapter.telegram;

import dev.parley.adapter.kit.access.GateRules;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings of a Telegram bot.
 *
 * @param variable the environment variable that holds the token
 * @param token the token
 * @param base the address of the Bot API, without a slash at its end
 * @param patience how long a poll waits for messages
 * @param markdown whether what is sent is read as Markdown
 * @param gate which messages of groups are for the agent
 */
record TelegramSettings(String variable, Token token, URI base, Duration patience, boolean markdown, GateRules gate) {
    private static final String TOKEN_VARIABLE = "token_env";
    private static final String BASE_URL = "base_url";
    private static final String WAIT = "poll_timeout";
    private static final String MARKDOWN = "markdown";
    private static final String USUAL_VARIABLE = "TELEGRAM_BOT_TOKEN";
    private static final String USUAL_URL = "https://api.telegram.org";
    private static final int LONGEST_WAIT = 50;
    private static final Pattern FORM = Pattern.compile("[0-9]{1,20}:[A-Za-z0-9._~-]{1,200}");

    /** The names of all settings. */
    static final Set<String> NAMES = names();

    private static Set<String> names() {
        Set<String> names = new HashSet<>(GateRules.SETTINGS);
        // A topic of Telegram is a place of many conversations, not a thread that begins with a mention.
        names.remove("thread_participation");
        names.addAll(Set.of(TOKEN_VARIABLE, BASE_URL, WAIT, MARKDOWN));
        return Set.copyOf(names);
    }

    /** A token, which is not shown. */
    record Token(String text) {
        @Override
        public String toString() {
            return "(secret)";
        }
    }

    static TelegramSettings of(ProviderSettings settings) {
        String variable = settings.value(TOKEN_VARIABLE).orElse(USUAL_VARIABLE);
        return new TelegramSettings(
                variable,
                token(settings, variable),
                base(settings),
                Duration.ofSeconds(settings.value(WAIT)
                        .map(text -> seconds(settings, text))
                        .orElse(20)),
                markdown(settings),
                GateRules.of(settings, false));
    }

    private static Token token(ProviderSettings settings, String variable) {
        String token = Optional.ofNullable(settings.environment().get(variable))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .orElseThrow(() -> new InvalidRequest("The environment variable " + variable
                        + " is not set; put the bot's token into it, which @BotFather shows, or name another variable under "
                        + settings.nameOf(TOKEN_VARIABLE) + "."));
        if (!FORM.matcher(token).matches()) {
            throw new InvalidRequest(
                    "The environment variable " + variable
                            + " holds no bot's token, which is a number, a colon and letters; copy it from @BotFather once more.");
        }
        return new Token(token);
    }

    private static URI base(ProviderSettings settings) {
        String text = settings.value(BASE_URL).orElse(USUAL_URL).replaceAll("/+$", "");
        try {
            URI uri = URI.create(text);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            boolean plain = uri.getRawQuery() == null && uri.getRawFragment() == null && uri.getRawUserInfo() == null;
            if (uri.getHost() != null && plain && (scheme.equals("http") || scheme.equals("https"))) {
                if (scheme.equals("http") && !isLoopback(uri.getHost())) {
                    settings.warnings()
                            .accept(
                                    settings.nameOf(BASE_URL)
                                            + " begins with http://, so the bot's token crosses the network readably; use https://.");
                }
                return uri;
            }
        } catch (IllegalArgumentException notAnAddress) {
            // Said below, together with addresses of another kind.
        }
        throw new InvalidRequest(settings.nameOf(BASE_URL)
                + " is not an address that begins with http:// or https://, such as " + USUAL_URL + ".");
    }

    /** Looks at what is written and asks no name server. */
    private static boolean isLoopback(String host) {
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

    private static int seconds(ProviderSettings settings, String text) {
        try {
            int value = Integer.parseInt(text);
            if (value >= 1 && value <= LONGEST_WAIT) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // Said below, together with numbers out of range.
        }
        throw new InvalidRequest(settings.nameOf(WAIT) + ": '" + text + "' is not a whole number of seconds from 1 to "
                + LONGEST_WAIT + "; leave it out for the usual 20.");
    }

    private static boolean markdown(ProviderSettings settings) {
        String text = settings.value(MARKDOWN).orElse("true").toLowerCase(Locale.ROOT);
        return switch (text) {
            case "true", "yes", "on", "1" -> true;
            case "false", "no", "off", "0" -> false;
            default ->
                throw new InvalidRequest(settings.nameOf(MARKDOWN) + ": '" + text + "' is neither true nor false.");
        };
    }
}
