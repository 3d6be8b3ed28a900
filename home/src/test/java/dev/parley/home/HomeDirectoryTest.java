package dev.parley.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Who may read a home. */
@DisabledOnOs(OS.WINDOWS)
class HomeDirectoryTest {
    @TempDir
    Path folder;

    private final List<String> warnings = new ArrayList<>();

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static Path with(Path path, String permissions) throws IOException {
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void aNewHomeIsItsOwnersOnly() throws IOException {
        HomeDirectory home = new HomeDirectory(folder.resolve("home"));
        home.create();
        home.makePrivate(warnings::add);

        assertThat(permissions(home.path())).isEqualTo("rwx------");
        assertThat(warnings).isEmpty();
    }

    @Test
    void aHomeThatOthersCanReadIsToldAndWhatIsStoredInItMadeItsOwnersOnly() throws IOException {
        with(folder, "rwxr-xr-x");
        Path home = with(Files.createDirectory(folder.resolve("home")), "rwxr-xr-x");
        Path database = with(Files.createFile(home.resolve("state.db")), "rw-r--r--");
        Path sessions = with(Files.createDirectory(home.resolve("sessions")), "rwxr-xr-x");
        Path session = with(Files.createFile(sessions.resolve("s.jsonl")), "rw-rw-r--");
        Path configuration = with(Files.createFile(home.resolve("parley.yaml")), "rw-r--r--");

        new HomeDirectory(home).makePrivate(warnings::add);

        assertThat(permissions(database)).isEqualTo("rw-------");
        assertThat(permissions(session)).isEqualTo("rw-------");
        assertThat(permissions(configuration)).as("the operator's own").isEqualTo("rw-r--r--");
        assertThat(permissions(home)).as("made by somebody else").isEqualTo("rwxr-xr-x");
        assertThat(warnings).singleElement().asString().contains(home.toString(), "rwxr-xr-x", "chmod 700");
    }

    @Test
    void aHomeBehindADirectoryThatOthersMayNotEnterIsNotToldOf() throws IOException {
        with(folder, "rwx------");
        Path home = with(Files.createDirectory(folder.resolve("home")), "rwxr-xr-x");

        new HomeDirectory(home).makePrivate(warnings::add);

        assertThat(warnings).isEmpty();
    }

    @Test
    void aLinkIsNotFollowed() throws IOException {
        Path home = with(Files.createDirectory(folder.resolve("home")), "rwx------");
        Path elsewhere = with(Files.createFile(folder.resolve("elsewhere")), "rw-r--r--");
        Files.createSymbolicLink(home.resolve("state.db"), elsewhere);

        new HomeDirectory(home).makePrivate(warnings::add);

        assertThat(permissions(elsewhere)).isEqualTo("rw-r--r--");
        assertThat(warnings).isEmpty();
    }
}
