package dev.parley.adapter.matrix.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.matrix.api.Account;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether a message names the bot. A client that says whom it mentions is believed; otherwise the text is searched for the account's
 * id, its local part as a word, and links to it.
 *
 * @param us whether it names this bot
 * @param text the text without the bot's name at its beginning; the whole text where nothing else would be left
 */
record Naming(boolean us, String text) {
    static Naming of(String text, JsonNode content, Account account, Optional<String> displayName) {
        JsonNode mentions = content.path("m.mentions");
        boolean us = mentions.isObject() ? isMentioned(mentions, account) : isNamed(text, content, account);
        return new Naming(us, us ? withoutName(text, account, displayName) : text);
    }

    private static boolean isMentioned(JsonNode mentions, Account account) {
        for (JsonNode user : mentions.path("user_ids")) {
            if (account.is(user.asText())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNamed(String text, JsonNode content, Account account) {
        String lower = text.toLowerCase(Locale.ROOT);
        String id = account.userId().toLowerCase(Locale.ROOT);
        String html = content.path("formatted_body").asText().toLowerCase(Locale.ROOT);
        return lower.contains(id)
                || isWord(lower, account.localpart().toLowerCase(Locale.ROOT))
                || html.contains("matrix.to/#/" + id)
                || html.contains("matrix.to/#/" + id.replace("@", "%40").replace(":", "%3a"));
    }

    private static boolean isWord(String text, String word) {
        for (int at = text.indexOf(word); at >= 0 && !word.isEmpty(); at = text.indexOf(word, at + 1)) {
            boolean before = at == 0 || !isPartOfName(text.charAt(at - 1));
            int end = at + word.length();
            boolean behind = end == text.length() || !isPartOfName(text.charAt(end)) || endsSentence(text, end);
            if (before && behind) {
                return true;
            }
        }
        return false;
    }

    private static boolean isPartOfName(char c) {
        return Character.isLetterOrDigit(c) || "_-=./@+".indexOf(c) >= 0;
    }

    private static boolean endsSentence(String text, int at) {
        return ".-".indexOf(text.charAt(at)) >= 0
                && (at + 1 == text.length() || Character.isWhitespace(text.charAt(at + 1)));
    }

    private static String withoutName(String text, Account account, Optional<String> displayName) {
        List<String> names = new ArrayList<>();
        names.add(account.userId());
        displayName.ifPresent(name -> names.add("@" + name));
        displayName.ifPresent(names::add);
        names.add("@" + account.localpart());
        names.add(account.localpart());
        for (String name : names) {
            if (text.regionMatches(true, 0, name, 0, name.length())) {
                Optional<String> rest = rest(text.substring(name.length()));
                if (rest.isPresent()) {
                    return rest.get();
                }
            }
        }
        return text;
    }

    private static Optional<String> rest(String behind) {
        boolean marked = behind.startsWith(":") || behind.startsWith(",");
        String rest = behind.substring(marked ? 1 : 0);
        boolean whole = marked || rest.isEmpty() || Character.isWhitespace(rest.charAt(0));
        return whole && !rest.isBlank() ? Optional.of(rest.strip()) : Optional.empty();
    }
}
