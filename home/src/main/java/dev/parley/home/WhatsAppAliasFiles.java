package dev.parley.home;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.port.IdentityAliases;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The alias files that a WhatsApp bridge keeps under the home directory (K5.17): {@code lid-mapping-ID.json} and
 * {@code lid-mapping-ID_reverse.json}, each a JSON text naming another identifier. Read on each look-up, since the bridge
 * writes them while the gateway runs; a file that cannot be read counts as none.
 */
public final class WhatsAppAliasFiles implements IdentityAliases {
    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9@.+-]+");

    private final Path current;
    private final Path legacy;

    /** Alias files under this home. */
    public WhatsAppAliasFiles(HomeDirectory home) {
        this.current = home.path().resolve("platforms").resolve("whatsapp").resolve("session");
        this.legacy = home.path().resolve("whatsapp").resolve("session");
    }

    @Override
    public Set<String> aliasesOf(String identifier) {
        Set<String> aliases = new LinkedHashSet<>();
        if (!SAFE.matcher(identifier).matches()) {
            return aliases;
        }
        Path directory = hasContent(legacy) ? legacy : current;
        for (String ending : List.of(".json", "_reverse.json")) {
            try {
                JsonNode named =
                        HomeJson.parse(Files.readString(directory.resolve("lid-mapping-" + identifier + ending)));
                if (named.isTextual()) {
                    aliases.add(named.textValue());
                }
            } catch (IOException e) {
                // Missing or broken mappings name nobody.
            }
        }
        return aliases;
    }

    private static boolean hasContent(Path directory) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            return entries.iterator().hasNext();
        } catch (IOException e) {
            return false;
        }
    }
}
