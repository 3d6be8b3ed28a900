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
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

        new HomeDirectory(home).makePrivate(warnings::add);

        assertThat(permissions(database)).isEqualTo("rw-------");
        assertThat(permissions(sessions)).isEqualTo("rwx------");
        assertThat(permissions(session)).as("behind a directory of its owner's").isEqualTo("rw-rw-r--");
        assertThat(permissions(home)).as("made by somebody else").isEqualTo("rwxr-xr-x");
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(0)).contains(home.toString(), "rwxr-xr-x", "chmod 700");
        assertThat(warnings.get(1))
                .contains(
                        "others could read state.db, sessions, which is its owner's only now",
                        "change what was secret");
    }

    @Test
    void aHomeBehindADirectoryThatOthersMayNotEnterIsNotToldOf() throws IOException {
        with(folder, "rwx------");
        Path home = with(Files.createDirectory(folder.resolve("home")), "rwxr-xr-x");

        new HomeDirectory(home).makePrivate(warnings::add);

        assertThat(warnings).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "parley.yaml",
                "state.db.backup-20260310-090000",
                "acp-sessions.json",
                "terminal_history",
                "http-token",
                "http-token-reader",
                "of-a-later-release"
            })
    void everyFileOfTheHomeIsMadeItsOwnersOnlyWhateverItIsCalled(String name) throws IOException {
        Path home = with(Files.createDirectory(folder.resolve("home")), "rwx------");
        Path file = with(Files.createFile(home.resolve(name)), "rw-r--r--");

        new HomeDirectory(home).makePrivate(warnings::add);

        assertThat(permissions(file)).isEqualTo("rw-------");
        assertThat(warnings).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"platforms", "whatsapp", "media", "signal", "spill"})
    void aDirectoryThatParleyMakesIsClosedAndNotWalked(String name) throws IOException {
        Path home = with(Files.createDirectory(folder.resolve("home")), "rwx------");
        Path directory = with(Files.createDirectory(home.resolve(name)), "rwxr-xr-x");
        Path inside = with(Files.createFile(directory.resolve("creds.json")), "rw-r--r--");

        new HomeDirectory(home).makePrivate(warnings::add);

        assertThat(permissions(directory)).isEqualTo("rwx------");
        assertThat(permissions(inside)).isEqualTo("rw-r--r--");
    }

    @Test
    void plugInsAndDirectoriesOfTheOperatorStayAsTheyAre() throws IOException {
        Path home = with(Files.createDirectory(folder.resolve("home")), "rwx------");
        Path plugins = with(Files.createDirectory(home.resolve("plugins")), "rwxr-xr-x");
        Path jar = with(Files.createFile(plugins.resolve("desk.jar")), "rw-r--r--");
        Path own = with(Files.createDirectory(home.resolve("workspace")), "rwxr-xr-x");

        new HomeDirectory(home).makePrivate(warnings::add);

        assertThat(permissions(plugins)).isEqualTo("rwxr-xr-x");
        assertThat(permissions(jar)).isEqualTo("rw-r--r--");
        assertThat(permissions(own)).isEqualTo("rwxr-xr-x");
    }

    @Test
    void whatTheOwnerMayDoWithAFileStays() throws IOException {
        Path home = with(Files.createDirectory(folder.resolve("home")), "rwx------");
        Path script = with(Files.createFile(home.resolve("run")), "r-xr-xr-x");

        new HomeDirectory(home).makePrivate(warnings::add);

        assertThat(permissions(script)).isEqualTo("r-x------");
    }

    @Test
    void theFilesOfAConfiguredStorageAreMadeItsOwnersOnlyAndSoIsADirectoryOfTheHome() throws IOException {
        HomeDirectory home = new HomeDirectory(folder.resolve("home"));
        home.create();
        Path elsewhere = with(Files.createDirectory(folder.resolve("elsewhere")), "rwxr-xr-x");
        List<Path> files = new ArrayList<>();
        for (String name : List.of("talk.db", "talk.db-wal", "talk.db-shm", "talk.db.backup-20260310-090000")) {
            files.add(with(Files.createFile(elsewhere.resolve(name)), "rw-rw-r--"));
        }
        Path other = with(Files.createFile(elsewhere.resolve("talk.dbx")), "rw-r--r--");
        Path lines = with(Files.createDirectory(home.path().resolve("lines")), "rwxr-xr-x");
        Path overlay = with(Files.createDirectory(home.path().resolve("lines.overlay")), "rwxr-xr-x");
        Path operators = with(Files.createDirectory(elsewhere.resolve("lines")), "rwxr-xr-x");

        home.makeStoragePrivate("sqlite:" + elsewhere.resolve("talk.db"), warnings::add);
        home.makeStoragePrivate("jsonl:lines", warnings::add);
        home.makeStoragePrivate("jsonl:../elsewhere/lines", warnings::add);
        home.makeStoragePrivate("other:/" + elsewhere.resolve("talk.dbx"), warnings::add);

        for (Path file : files) {
            assertThat(permissions(file)).as("%s", file).isEqualTo("rw-------");
        }
        assertThat(permissions(lines)).isEqualTo("rwx------");
        assertThat(permissions(overlay)).isEqualTo("rwx------");
        assertThat(permissions(operators)).as("a directory outside of the home").isEqualTo("rwxr-xr-x");
        assertThat(permissions(other)).isEqualTo("rw-r--r--");
        assertThat(permissions(elsewhere)).isEqualTo("rwxr-xr-x");
        assertThat(warnings).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres://me@localhost/talk", "jsonl:.", "jsonl:..", "other:\0", "sqlite:none.db"})
    void anAddressThatNamesNoFileOrTheHomeItselfChangesNothing(String url) throws IOException {
        with(folder, "rwxr-xr-x");
        Path home = with(Files.createDirectory(folder.resolve("home")), "rwxr-xr-x");

        new HomeDirectory(home).makeStoragePrivate(url, warnings::add);

        assertThat(permissions(home)).isEqualTo("rwxr-xr-x");
        assertThat(permissions(folder)).isEqualTo("rwxr-xr-x");
        assertThat(warnings).isEmpty();
    }

    /** The permissions of what the system shows of a process cannot be changed, by whomever. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void whatCannotBeChangedIsToldInOneLineAndFailsNothing() {
        new HomeDirectory(Path.of("/proc/self")).makePrivate(warnings::add);

        assertThat(warnings)
                .filteredOn(line -> line.contains("could not be made its owner's only"))
                .singleElement()
                .asString()
                .contains(" more;", "chmod go-rwx")
                .hasLineCount(1);
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
