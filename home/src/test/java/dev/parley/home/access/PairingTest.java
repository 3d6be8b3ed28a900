package dev.parley.home.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.replay.VirtualClock;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.home.HomeDirectory;
import dev.parley.home.access.Pairing.Approval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People who are on no list are let in with a code, and nobody else is. */
class PairingTest {
    private static final Platform TELEGRAM = Platform.TELEGRAM;

    @TempDir
    Path home;

    private final VirtualClock clock = new VirtualClock(Instant.parse("2026-03-10T09:00:00Z"));

    private Pairing open() {
        return new Pairing(new HomeDirectory(home), clock);
    }

    private static SessionSource user(String id) {
        return SessionSource.builder(TELEGRAM, id)
                .userId(id)
                .userName("User " + id)
                .build();
    }

    private String codeFor(String id) {
        return open().ask(user(id)).orElseThrow();
    }

    @Test
    void whoeverHasACodeIsLetInOnceItIsApproved() {
        String code = codeFor("1");
        assertThat(open().isPaired(user("1"))).isFalse();

        assertThat(open().approve(TELEGRAM, code))
                .isEqualTo(new Approval.LetIn(new Person(TELEGRAM, "1", Optional.of("User 1"))));
        assertThat(open().isPaired(user("1"))).isTrue();
        assertThat(open().isPaired(user("2"))).isFalse();
        assertThat(open().pending()).isEmpty();
    }

    @Test
    void aProcessThatRunsSeesAtOnceWhatAnotherHasApproved() {
        Pairing gateway = open();
        String code = gateway.ask(user("1")).orElseThrow();
        assertThat(gateway.isPaired(user("1"))).isFalse();
        open().approve(TELEGRAM, code);

        assertThat(gateway.isPaired(user("1"))).isTrue();
        open().revoke(TELEGRAM, "1");
        assertThat(gateway.isPaired(user("1"))).isFalse();
    }

    @Test
    void aCodeHasEightCharactersThatAreNotTakenForOneAnother() {
        Set<String> codes = new HashSet<>();
        for (int user = 0; user < 50; user++) {
            clock.move(Pairing.GOOD_FOR);
            codes.add(codeFor("u" + user));
        }

        assertThat(codes).hasSize(50).allMatch(code -> code.matches("[A-HJ-NP-Z2-9]{8}"));
    }

    @Test
    void aCodeIsTakenAsPeopleTypeIt() {
        String code = codeFor("1");

        assertThat(open().approve(
                                TELEGRAM,
                                " " + code.substring(0, 4).toLowerCase(Locale.ROOT) + "-" + code.substring(4)))
                .isInstanceOf(Approval.LetIn.class);
    }

    @Test
    void aCodeIsGoodForAnHourAndOnItsPlatform() {
        String code = codeFor("1");
        assertThat(open().approve(Platform.SLACK, code)).isInstanceOf(Approval.Unknown.class);
        clock.move(Pairing.GOOD_FOR);

        assertThat(open().approve(TELEGRAM, code)).isInstanceOf(Approval.Unknown.class);
        assertThat(open().pending()).isEmpty();
    }

    @Test
    void aPersonIsGivenACodeEveryTenMinutesAndTheLastOneHolds() {
        String first = codeFor("1");
        assertThat(open().ask(user("1"))).isEmpty();
        clock.move(Pairing.ASKED_EVERY);
        String second = codeFor("1");

        assertThat(open().approve(TELEGRAM, first)).isInstanceOf(Approval.Unknown.class);
        assertThat(open().approve(TELEGRAM, second)).isInstanceOf(Approval.LetIn.class);
    }

    @Test
    void threeMayWaitOnAPlatform() {
        codeFor("1");
        codeFor("2");
        codeFor("3");
        assertThat(open().ask(user("4"))).isEmpty();
        assertThat(open().ask(SessionSource.builder(Platform.SLACK, "4")
                        .userId("4")
                        .build()))
                .as("somebody on another platform")
                .isPresent();

        clock.move(Pairing.GOOD_FOR);
        assertThat(open().ask(user("4"))).isPresent();
    }

    @Test
    void afterFiveWrongCodesNoneIsTakenForAnHour() {
        String code = codeFor("1");
        for (int wrong = 1; wrong < Pairing.WRONG; wrong++) {
            assertThat(open().approve(TELEGRAM, "WRONG")).isEqualTo(new Approval.Unknown(Pairing.WRONG - wrong));
        }
        Instant until = clock.instant().plus(Pairing.LOCKED_FOR);
        assertThat(open().approve(TELEGRAM, "WRONG")).isEqualTo(new Approval.Locked(until));
        assertThat(open().approve(TELEGRAM, code)).isEqualTo(new Approval.Locked(until));
        assertThat(open().ask(user("2"))).as("a code while codes are not taken").isEmpty();
        clock.set(until);

        String next = codeFor("2");
        assertThat(open().approve(TELEGRAM, "WRONG")).isEqualTo(new Approval.Unknown(4));
        assertThat(open().approve(TELEGRAM, next)).isInstanceOf(Approval.LetIn.class);
    }

    @Test
    void aRightCodeForgetsTheWrongOnes() {
        String code = codeFor("1");
        open().approve(TELEGRAM, "WRONG");
        open().approve(TELEGRAM, code);

        assertThat(open().approve(TELEGRAM, "WRONG")).isEqualTo(new Approval.Unknown(4));
    }

    @Test
    void theFileIsItsOwnersOnlyAndHoldsNoCode() throws IOException {
        String code = codeFor("1");

        for (String name : List.of("pairing.json", "pairing.lock")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve(name))))
                    .isEqualTo("rw-------");
        }
        assertThat(Files.readString(home.resolve("pairing.json"))).doesNotContain(code);
    }

    @Test
    void aFileThatCannotBeUnderstoodLetsNobodyInAndIsNotReplaced() throws IOException {
        Files.writeString(home.resolve("pairing.json"), "{\"format\": 7}");

        assertThatThrownBy(() -> open().isPaired(user("1"))).isInstanceOf(StorageCorrupt.class);
        assertThatThrownBy(() -> open().ask(user("1"))).isInstanceOf(StorageCorrupt.class);
        assertThat(Files.readString(home.resolve("pairing.json"))).isEqualTo("{\"format\": 7}");
    }

    @Test
    void botsGhostsAndThoseWithoutAnIdAreGivenNoCode() {
        Pairing pairing = open();

        assertThat(pairing.ask(user("1").toBuilder().isBot(true).build())).isEmpty();
        assertThat(pairing.ask(SessionSource.builder(TELEGRAM, "1").build())).isEmpty();
        assertThat(pairing.ask(matrix("@telegram_17:example.org"))).isEmpty();
        assertThat(pairing.ask(matrix("@ann:example.org"))).isPresent();
    }

    private static SessionSource matrix(String user) {
        return SessionSource.builder(Platform.MATRIX, "!r:example.org")
                .userId(user)
                .build();
    }

    @Test
    void onePersonWithTwoIdsOfWhatsAppIsLetInOnce() throws IOException {
        Path session = Files.createDirectories(home.resolve("platforms/whatsapp/session"));
        Files.writeString(session.resolve("lid-mapping-99887766554433.json"), "\"4915112345\"");
        SessionSource byNumber = whatsApp("4915112345@s.whatsapp.net");
        String code = open().ask(byNumber).orElseThrow();
        open().approve(Platform.WHATSAPP, code);

        assertThat(open().isPaired(whatsApp("99887766554433@lid"))).isTrue();
    }

    private static SessionSource whatsApp(String user) {
        return SessionSource.builder(Platform.WHATSAPP, user).userId(user).build();
    }

    @Test
    void whatIsChangedAtTheSameTimeIsAllKept() {
        List<CompletableFuture<Optional<String>>> asked = new ArrayList<>();
        for (String platform : List.of("telegram", "slack", "discord", "signal", "matrix", "whatsapp")) {
            asked.add(CompletableFuture.supplyAsync(() -> open().ask(SessionSource.builder(Platform.of(platform), "1")
                    .userId("1")
                    .build())));
        }
        asked.forEach(each -> assertThat(each.join()).isPresent());

        assertThat(open().pending()).hasSize(6);
    }

    @Test
    void revokingSomebodyUnknownChangesNothing() {
        assertThat(open().revoke(TELEGRAM, "1")).isFalse();
        assertThat(home.resolve("pairing.json")).doesNotExist();
    }
}
