package dev.parley.domain.key;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One form for the several identifiers under which WhatsApp shows the same person (K5.15 to K5.18). */
public final class WhatsAppIdentity {
    private static final Pattern FOLLOWED = Pattern.compile("[A-Za-z0-9@.+-]+");

    private WhatsAppIdentity() {}

    /**
     * The identifier without blanks, its first plus sign, device number and domain:
     * {@code +60123456789:47@s.whatsapp.net} becomes {@code 60123456789} (K5.16). Empty for null.
     */
    public static String normalise(@Nullable String identifier) {
        if (identifier == null) {
            return "";
        }
        String normal = identifier.strip();
        int plus = normal.indexOf('+');
        if (plus >= 0) {
            normal = normal.substring(0, plus) + normal.substring(plus + 1);
        }
        return before('@', before(':', normal));
    }

    private static String before(char end, String text) {
        int at = text.indexOf(end);
        return at < 0 ? text : text.substring(0, at);
    }

    /**
     * The shortest of all aliases of an identifier, the first in order among equally short ones (K5.18). Aliases are
     * followed transitively from the normalised identifier, each once; one with characters outside
     * {@code A-Z a-z 0-9 @ . + -} is neither followed nor chosen (K5.17), and an identifier that has such characters itself
     * is its own canonical form (D13). Empty for null or when nothing is left after normalising.
     */
    public static String canonical(@Nullable String identifier, AliasLookup aliases) {
        String start = normalise(identifier);
        Set<String> known = new LinkedHashSet<>();
        Deque<String> toFollow = new ArrayDeque<>();
        toFollow.add(start);
        while (!toFollow.isEmpty()) {
            String current = toFollow.remove();
            if (FOLLOWED.matcher(current).matches() && known.add(current)) {
                for (String alias : aliases.aliasesOf(current)) {
                    toFollow.add(normalise(alias));
                }
            }
        }
        return known.stream()
                .min(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()))
                .orElse(start);
    }
}
