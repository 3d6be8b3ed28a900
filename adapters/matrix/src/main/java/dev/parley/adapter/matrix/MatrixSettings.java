package dev.parley.adapter.matrix;

import dev.parley.adapter.kit.access.GateRules;
import dev.parley.adapter.kit.flow.Overheard;
import dev.parley.adapter.kit.settings.Secret;
import dev.parley.adapter.kit.settings.SettingsReader;
import dev.parley.adapter.matrix.inbound.Invitations;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings of a bot in Matrix.
 *
 * @param variable the environment variable that holds the token
 * @param token the account's access token
 * @param homeserver the homeserver's address, without a slash at its end
 * @param patience how long a sync waits for something to happen
 * @param answerTimeout how long any other answer may take, and the answer of a sync beyond what it waits
 * @param backfill how many messages of a gap in one room are read at most
 * @param markdown whether what is sent is read as Markdown
 * @param receipts whether people see up to where the bot has read
 * @param previews whether answers are shown while they are written
 * @param autoThread whether what is said to the bot in a room begins a thread
 * @param invitations which rooms the bot joins
 * @param ignoredUsers people, bots and bridges that are never listened to
 * @param gate which messages of rooms are for the agent
 * @param observe whether what is not for the agent is kept until something is
 */
record MatrixSettings(
        String variable,
        Secret token,
        URI homeserver,
        Duration patience,
        Duration answerTimeout,
        int backfill,
        boolean markdown,
        boolean receipts,
        boolean previews,
        boolean autoThread,
        Invitations invitations,
        Set<String> ignoredUsers,
        GateRules gate,
        boolean observe) {
    private static final String HOMESERVER = "homeserver";
    private static final String TOKEN_VARIABLE = "access_token_env";
    private static final String SYNC = "sync_timeout";
    private static final String ANSWER = "answer_timeout";
    private static final String BACKFILL = "backfill_limit";
    private static final String MARKDOWN = "markdown";
    private static final String RECEIPTS = "read_receipts";
    private static final String AUTO_THREAD = "auto_thread";
    private static final String JOIN = "join";
    private static final String IGNORED_USERS = "ignored_users";
    /** Read by the gateway too. */
    private static final String ALLOW = "allow";

    private static final String PAIRING = "pairing";
    private static final String PREVIEW = "preview";
    private static final String USUAL_VARIABLE = "MATRIX_ACCESS_TOKEN";
    private static final String EXAMPLE = "https://matrix.example.org";
    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]{4,4096}");

    /** The names of all settings. */
    static final Set<String> NAMES = names();

    private static Set<String> names() {
        Set<String> names = new HashSet<>(GateRules.SETTINGS);
        // Nothing tells a bot from a person in Matrix.
        names.remove("exclusive_mentions");
        names.addAll(Set.of(
                HOMESERVER,
                TOKEN_VARIABLE,
                SYNC,
                ANSWER,
                BACKFILL,
                MARKDOWN,
                RECEIPTS,
                AUTO_THREAD,
                JOIN,
                IGNORED_USERS));
        names.addAll(Set.of(ALLOW, PAIRING, PREVIEW, Overheard.SETTING));
        return Set.copyOf(names);
    }

    static MatrixSettings of(ProviderSettings settings) {
        SettingsReader read = new SettingsReader(settings);
        String address = settings.value(HOMESERVER)
                .orElseThrow(() -> new InvalidRequest(settings.nameOf(HOMESERVER)
                        + " is not set; write the address of the bot's homeserver, such as " + EXAMPLE + "."));
        URI homeserver = read.address(HOMESERVER, address, "the bot's token", EXAMPLE);
        String variable = read.variable(TOKEN_VARIABLE, USUAL_VARIABLE);
        Secret token = read.secret(
                variable,
                FORM,
                "put the access token of the bot's account into it, or name another variable under "
                        + settings.nameOf(TOKEN_VARIABLE),
                "no access token, which has neither blanks nor line ends; copy it once more");
        return new MatrixSettings(
                variable,
                token,
                homeserver,
                read.seconds(SYNC, 30, 1, 120),
                read.seconds(ANSWER, 15, 1, 120),
                read.number(BACKFILL, 1_000, 1, 100_000),
                read.flag(MARKDOWN, true),
                read.flag(RECEIPTS, true),
                !settings.value(PREVIEW).orElse("never").equals("never"),
                read.flag(AUTO_THREAD, false),
                new Invitations(
                        Invitations.Policy.of(read.word(JOIN, "allowed", List.of("allowed", "all", "none"))),
                        read.list(ALLOW),
                        read.flag(PAIRING, false)),
                read.list(IGNORED_USERS),
                GateRules.of(settings, true),
                Overheard.isOn(settings));
    }
}
