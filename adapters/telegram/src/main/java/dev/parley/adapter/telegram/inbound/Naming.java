package dev.parley.adapter.telegram.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.telegram.api.Bot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whom a text names. Entities are trusted for where names stand, in UTF-16 units; a text that comes without any is searched.
 *
 * @param us whether it names this bot
 * @param others whether it names another bot
 * @param commandForOthers whether it is a command addressed to another bot
 * @param text the text without this bot's name; the whole text where nothing else would be left
 */
record Naming(boolean us, boolean others, boolean commandForOthers, String text) {
    private static final Pattern NAME = Pattern.compile("(?<![\\w@/])@(\\w{3,32})\\b");
    private static final Pattern ADDRESSED = Pattern.compile("^/[^\\s@]{1,64}@(\\w{3,32})");

    static Naming of(String text, JsonNode entities, Bot bot) {
        List<int[]> named = new ArrayList<>();
        boolean us = false;
        boolean others = false;
        if (entities.isArray() && !entities.isEmpty()) {
            for (JsonNode entity : entities) {
                int from = entity.path("offset").asInt(-1);
                int to = from + entity.path("length").asInt(-1);
                if (from < 0 || to <= from || to > text.length()) {
                    continue;
                }
                String part = text.substring(from, to);
                switch (entity.path("type").asText()) {
                    case "mention" -> {
                        if (bot.isCalled(part)) {
                            us = true;
                            named.add(new int[] {from, to});
                        } else {
                            others |= isBotsName(part);
                        }
                    }
                    case "text_mention" ->
                        us |= entity.path("user").path("id").asText().equals(bot.id());
                    case "bot_command" ->
                        us |= addressee(part).filter(bot::isCalled).isPresent();
                    default -> {
                        // How a text looks names nobody.
                    }
                }
            }
        } else {
            Matcher names = NAME.matcher(text);
            while (names.find()) {
                if (bot.isCalled(names.group(1))) {
                    us = true;
                    named.add(new int[] {names.start(), names.end()});
                } else {
                    others |= isBotsName(names.group(1));
                }
            }
            us |= addressee(text).filter(bot::isCalled).isPresent();
        }
        boolean elsewhere = addressee(text).filter(name -> !bot.isCalled(name)).isPresent();
        return new Naming(us, others, elsewhere, without(text, named));
    }

    /** User names of bots end in "bot". */
    private static boolean isBotsName(String name) {
        return name.toLowerCase(Locale.ROOT).endsWith("bot");
    }

    private static Optional<String> addressee(String text) {
        Matcher addressed = ADDRESSED.matcher(text);
        return addressed.find() ? Optional.of(addressed.group(1)) : Optional.empty();
    }

    private static String without(String text, List<int[]> named) {
        StringBuilder left = new StringBuilder(text);
        for (int i = named.size() - 1; i >= 0; i--) {
            int from = named.get(i)[0];
            int to = named.get(i)[1];
            left.delete(from, to);
            boolean doubled =
                    from > 0 && from < left.length() && left.charAt(from - 1) == ' ' && left.charAt(from) == ' ';
            if (doubled) {
                left.deleteCharAt(from);
            }
        }
        String rest = named.isEmpty() ? text : left.toString().strip();
        return rest.isBlank() ? text : rest;
    }
}
