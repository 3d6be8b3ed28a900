package dev.parley.home;

import dev.parley.application.port.IdentityAliases;
import dev.parley.contracts.port.IdentityAliasesContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The bridge's mapping files keep the contract of alias look-ups. */
class WhatsAppAliasFilesContractTest implements IdentityAliasesContract {
    @TempDir
    Path home;

    @Override
    public IdentityAliases knowing(String left, String right) {
        write(left, right);
        return new WhatsAppAliasFiles(new HomeDirectory(home));
    }

    private void write(String left, String right) {
        try {
            Path directory = Files.createDirectories(home.resolve("platforms/whatsapp/session"));
            Files.writeString(directory.resolve("lid-mapping-" + left + ".json"), "\"" + right + "\"");
            Files.writeString(directory.resolve("lid-mapping-" + right + "_reverse.json"), "\"" + left + "\"");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean damage() {
        try {
            Path directory = home.resolve("platforms/whatsapp/session");
            Files.writeString(directory.resolve("lid-mapping-4915112345678.json"), "\"torn");
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
