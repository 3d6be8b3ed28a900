package dev.parley.adapter.whatsapp;

import dev.parley.adapter.kit.access.GateRules;
import dev.parley.adapter.kit.flow.Overheard;
import dev.parley.adapter.kit.settings.SettingsReader;
import dev.parley.adapter.whatsapp.bridge.Installation;
import dev.parley.adapter.whatsapp.inbound.Groups;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of a WhatsApp account.
 *
 * @param installation the bridge's program
 * @param phone the account's number, for linking by a code in letters; absent where the code is a picture
 * @param selfChat whether what the account's owner writes to themselves is for the agent
 * @param markdown whether what is sent is read as Markdown
 * @param groups which messages of groups are for the agent
 * @param observes whether what is said beside the agent in them is shown to it later
 */
record WhatsAppSettings(
        Installation installation,
        Optional<String> phone,
        boolean selfChat,
        boolean markdown,
        Groups groups,
        boolean observes) {
    private static final String NODE = "node";
    private static final String BRIDGE = "bridge";
    private static final String PHONE = "phone";
    private static final String SELF_CHAT = "self_chat";
    private static final String MARKDOWN = "markdown";
    private static final String GROUP_POLICY = "group_policy";

    /** The names of all settings. */
    static final Set<String> NAMES = Set.of(
            NODE,
            BRIDGE,
            PHONE,
            SELF_CHAT,
            MARKDOWN,
            GROUP_POLICY,
            Overheard.SETTING,
            "require_mention",
            "free_chats",
            "allowed_chats",
            "ignored_chats",
            "mention_patterns");

    static WhatsAppSettings of(ProviderSettings settings) {
        SettingsReader read = new SettingsReader(settings);
        String policy = read.word(GROUP_POLICY, "open", List.of("open", "allowlist", "disabled"));
        Optional<String> phone = settings.value(PHONE).map(text -> phone(settings, text));
        boolean selfChat = read.flag(SELF_CHAT, false);
        boolean markdown = read.flag(MARKDOWN, true);
        Groups groups =
                new Groups(Groups.Policy.valueOf(policy.toUpperCase(Locale.ROOT)), GateRules.of(settings, false));
        return new WhatsAppSettings(
                Installation.of(settings, settings.value(NODE).orElse("node"), settings.value(BRIDGE)),
                phone,
                selfChat,
                markdown,
                groups,
                Overheard.isOn(settings));
    }

    private static String phone(ProviderSettings settings, String text) {
        String digits = text.replaceAll("[+ ()-]", "");
        if (!digits.matches("[1-9][0-9]{6,14}")) {
            throw new InvalidRequest(
                    settings.nameOf(PHONE)
                            + " is no phone number with its country code, such as 4915112345678; leave it out to link with a QR code.");
        }
        return digits;
    }
}
