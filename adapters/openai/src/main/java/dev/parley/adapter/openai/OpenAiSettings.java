package dev.parley.adapter.openai;

import dev.parley.adapter.kit.settings.Secret;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings of the agent.
 *
 * @param baseUrl where the server's interface begins, without a slash at its end
 * @param model the model
 * @param key what the server knows us by; absent where it asks for nothing
 * @param keyName the environment variable of the key, for messages
 * @param systemPrompt what stands before the context prompt
 * @param temperature how freely the model chooses
 * @param maxTokens the longest answer, in tokens
 * @param maxTokensName the name under which the server takes that
 * @param contextLength the size of the model's context in tokens; 0 where it is not known
 * @param patience how long the server may be silent
 * @param retries how often a call is tried again
 * @param answerSize the most characters of text, reasoning and calls of tools in one turn
 * @param answerTime how long a turn may take, however much is still coming in
 * @param rounds how often the model may ask for tools in one turn
 */
record OpenAiSettings(
        String baseUrl,
        String model,
        Optional<Secret> key,
        String keyName,
        Optional<String> systemPrompt,
        Optional<BigDecimal> temperature,
        Optional<Integer> maxTokens,
        String maxTokensName,
        long contextLength,
        Duration patience,
        int retries,
        int answerSize,
        Duration answerTime,
        int rounds) {
    private static final String BASE_URL = "base_url";
    private static final String MODEL = "model";
    private static final String KEY_NAME = "api_key_env";
    private static final String SYSTEM_PROMPT = "system_prompt";
    private static final String TEMPERATURE = "temperature";
    private static final String MAX_TOKENS = "max_tokens";
    private static final String MAX_COMPLETION_TOKENS = "max_completion_tokens";
    private static final String CONTEXT_LENGTH = "context_length";
    private static final String TIMEOUT = "timeout";
    private static final String RETRIES = "retries";
    static final String ANSWER_SIZE = "max_answer_size";
    static final String ANSWER_TIME = "answer_timeout";
    private static final String ROUNDS = "max_tool_rounds";
    private static final String USUAL_URL = "https://api.openai.com/v1";
    private static final Pattern USER = Pattern.compile("[^/?#]*//[^/?#]*@");
    private static final String USUAL_KEY = "OPENAI_API_KEY";

    static final Set<String> NAMES = Set.of(
            BASE_URL,
            MODEL,
            KEY_NAME,
            SYSTEM_PROMPT,
            TEMPERATURE,
            MAX_TOKENS,
            MAX_COMPLETION_TOKENS,
            CONTEXT_LENGTH,
            TIMEOUT,
            RETRIES,
            ANSWER_SIZE,
            ANSWER_TIME,
            ROUNDS);

    static OpenAiSettings of(ProviderSettings settings) {
        String model = settings.value(MODEL)
                .orElseThrow(() -> new InvalidRequest(
                        settings.nameOf(MODEL) + " is missing; name the model, as the server calls it."));
        Optional<Integer> maxCompletion = number(settings, MAX_COMPLETION_TOKENS, 1, 10_000_000);
        Optional<Integer> max = number(settings, MAX_TOKENS, 1, 10_000_000);
        if (max.isPresent() && maxCompletion.isPresent()) {
            throw new InvalidRequest(settings.nameOf(MAX_TOKENS) + " and " + settings.nameOf(MAX_COMPLETION_TOKENS)
                    + " mean the same; set the one that the server takes.");
        }
        return new OpenAiSettings(
                baseUrl(settings),
                model,
                key(settings),
                settings.value(KEY_NAME).orElse(USUAL_KEY),
                settings.value(SYSTEM_PROMPT),
                settings.value(TEMPERATURE).map(text -> temperature(settings, text)),
                maxCompletion.or(() -> max),
                maxCompletion.isPresent() ? MAX_COMPLETION_TOKENS : MAX_TOKENS,
                number(settings, CONTEXT_LENGTH, 1, Integer.MAX_VALUE).orElse(0),
                Duration.ofSeconds(number(settings, TIMEOUT, 1, 86_400).orElse(120)),
                number(settings, RETRIES, 0, 20).orElse(3),
                number(settings, ANSWER_SIZE, 1_000, 100_000_000).orElse(4_000_000),
                Duration.ofSeconds(number(settings, ANSWER_TIME, 1, 86_400).orElse(1_800)),
                number(settings, ROUNDS, 0, 100).orElse(4));
    }

    private static String baseUrl(ProviderSettings settings) {
        String text = settings.value(BASE_URL).orElse(USUAL_URL).replaceAll("/+$", "");
        if (holdsUser(text)) {
            throw new InvalidRequest(settings.nameOf(BASE_URL) + " holds a user or a password, which would not be sent;"
                    + " take them out, and put the key of the server into the environment variable "
                    + settings.value(KEY_NAME).orElse(USUAL_KEY) + ".");
        }
        if (!isHttp(text)) {
            throw new InvalidRequest(settings.nameOf(BASE_URL) + ": '" + text
                    + "' is not an address that begins with http:// or https://, such as " + USUAL_URL + ".");
        }
        return text;
    }

    /** Returns whether a user, with a password or without, stands before the host; a password may keep the text from being an address. */
    static boolean holdsUser(String text) {
        return USER.matcher(text).lookingAt() || (!isHttp(text) && text.contains("@"));
    }

    static boolean isHttp(String text) {
        try {
            URI uri = URI.create(text);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            return uri.getHost() != null && (scheme.equals("http") || scheme.equals("https"));
        } catch (IllegalArgumentException notAnAddress) {
            return false;
        }
    }

    /** A server of one's own may need no key; where one is expected, its absence is told now rather than at the first turn. */
    private static Optional<Secret> key(ProviderSettings settings) {
        String name = settings.value(KEY_NAME).orElse(USUAL_KEY);
        Optional<Secret> key = Optional.ofNullable(settings.environment().get(name))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .map(Secret::new);
        boolean expected =
                settings.value(KEY_NAME).isPresent() || settings.value(BASE_URL).isEmpty();
        if (key.isEmpty() && expected) {
            throw new InvalidRequest(
                    "The environment variable " + name + " is not set; put the key of the server into it, or"
                            + " name another one under " + settings.nameOf(KEY_NAME) + ".");
        }
        key.ifPresent(secret -> checkKey(name, secret.text()));
        return key;
    }

    /** A key is sent in a header; the message shows where it is wrong, never what it is. */
    private static void checkKey(String name, String key) {
        for (int i = 0; i < key.length(); i++) {
            if (key.charAt(i) < '!' || key.charAt(i) > '~') {
                throw new InvalidRequest("The environment variable " + name + " holds no key: its character " + (i + 1)
                        + " of " + key.length() + " is a space or none of ASCII; copy the key again.");
            }
        }
    }

    private static BigDecimal temperature(ProviderSettings settings, String text) {
        try {
            BigDecimal value = new BigDecimal(text);
            if (value.signum() >= 0 && value.compareTo(BigDecimal.TEN) <= 0) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // Said below, together with numbers out of range.
        }
        throw new InvalidRequest(settings.nameOf(TEMPERATURE) + ": '" + text + "' is not a number from 0 to 10.");
    }

    private static Optional<Integer> number(ProviderSettings settings, String name, int least, int most) {
        Optional<String> text = settings.value(name);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            int value = Integer.parseInt(text.get());
            if (value >= least && value <= most) {
                return Optional.of(value);
            }
        } catch (NumberFormatException notANumber) {
            // Said below, together with numbers out of range.
        }
        throw new InvalidRequest(settings.nameOf(name) + ": '" + text.get() + "' is not a whole number from " + least
                + " to " + most + "; leave it out for the usual value.");
    }
}
