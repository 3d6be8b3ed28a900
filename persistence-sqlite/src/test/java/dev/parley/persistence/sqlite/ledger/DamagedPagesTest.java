package dev.parley.persistence.sqlite.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance.Arrangement;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.persistence.sqlite.Openings;
import dev.parley.persistence.sqlite.Sql;
import dev.parley.persistence.sqlite.Stores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A page of the file holds what no page of it can hold. In a page of the search index that loses no message, no answer and no start; in
 * any other page it is told, and not as damage of the index.
 */
class DamagedPagesTest {
    /** So many pages, or about as many, are damaged, each in a file of its own. */
    private static final int TRIED = Integer.getInteger("parley.damaged.pages", 4);

    private static final SessionId SESSION = SessionId.of("s");

    @TempDir
    Path folder;

    /** What a page is filled with. Half a page of zeros may be a text of zeros: no check tells that of a page of messages. */
    private enum Filling {
        ZEROS,
        ONES,
        NOISE,
        HALF
    }

    private static final List<Filling> OF_THE_INDEX = List.of(Filling.values());
    private static final List<Filling> OF_OTHERS = List.of(Filling.ZEROS, Filling.ONES, Filling.NOISE);

    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void whateverAPageOfTheIndexHoldsMessagesAreStoredAndFound(Arrangement form) throws Exception {
        assertThat(tried(form, "name GLOB 'messages_fts*'", OF_THE_INDEX, DamagedPagesTest::use))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void damageOfAnyOtherPageIsToldAndNotAsDamageOfTheIndex(Arrangement form) throws Exception {
        assertThat(tried(form, "name NOT GLOB 'messages_fts*'", OF_OTHERS, DamagedPagesTest::look))
                .isEmpty();
    }

    /** Damages one page of those chosen at a time, and returns what went wrong with which. */
    private List<String> tried(Arrangement form, String pages, List<Filling> fillings, Consumer<Path> trial)
            throws Exception {
        Path sound = sound(form);
        List<Integer> numbers = Sql.column(
                        sound, "SELECT pageno FROM dbstat WHERE " + pages + " AND pageno > 1 ORDER BY name, pageno")
                .stream()
                .map(number -> ((Number) number).intValue())
                .toList();
        assertThat(numbers).hasSizeGreaterThan(TRIED);
        List<String> wrong = new ArrayList<>();
        int step = Math.max(1, numbers.size() / TRIED);
        for (int i = 0; i < numbers.size(); i += step) {
            Filling filling = fillings.get((i / step) % fillings.size());
            Path file = folder.resolve("damaged-" + i + ".db");
            damage(sound, file, numbers.get(i), filling);
            try {
                trial.accept(file);
            } catch (RuntimeException | AssertionError e) {
                wrong.add("page " + numbers.get(i) + " with " + filling + ": " + e);
            }
        }
        return wrong;
    }

    private static void use(Path file) {
        try (Storage storage = Stores.write(file)) {
            assertThat(Stores.commit(storage, said("new", "zanzibar 大别山")).isCommitted())
                    .isTrue();
            assertThat(storage.transcripts().count(SESSION)).isEqualTo(25);
            assertThat(storage.search().search(SearchQuery.of("zanzibar"))).isNotEmpty();
            assertThat(storage.search().search(SearchQuery.of("大别山"))).isNotEmpty();
            storage.maintenance().repair((done, total) -> {});
            assertThat(storage.maintenance().check((done, total) -> {}))
                    .allMatch(line -> line.contains("run \"parley storage vacuum\""));
            storage.maintenance().compact();
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
            assertThat(storage.search().search(SearchQuery.of("\"zanzibar 大别山\"")))
                    .isNotEmpty();
        }
    }

    private static void look(Path file) {
        try (Storage storage = Stores.read(file)) {
            assertThat(storage.maintenance().check((done, total) -> {}))
                    .isNotEmpty()
                    .noneMatch(line -> line.contains("no message is lost"));
        } catch (StorageCorrupt told) {
            assertThat(told).hasMessageContaining("restore a copy");
        }
    }

    private Path sound(Arrangement form) {
        Path file = folder.resolve("sound.db");
        try (Storage storage = Stores.write(file)) {
            storage.maintenance().arrange(form, (done, total) -> {});
            Stores.commit(
                    storage,
                    new Change.CreateSession(
                            Session.builder(SESSION, "cli", Openings.NOW).build()));
            Random random = new Random(3);
            for (int i = 0; i < 24; i++) {
                StringBuilder text = new StringBuilder("zanzibar 大别山项目 ");
                for (int j = 0; j < 60; j++) {
                    text.append("word").append(random.nextInt(5_000)).append((char) (0x4e00 + random.nextInt(2_000)));
                    text.append(' ');
                }
                Stores.commit(storage, said("m" + i, text.toString()));
            }
        }
        return file;
    }

    private static void damage(Path sound, Path file, int page, Filling filling) throws Exception {
        byte[] bytes = Files.readAllBytes(sound);
        int from = (page - 1) * 4096;
        int to = page * 4096;
        switch (filling) {
            case ZEROS -> Arrays.fill(bytes, from, to, (byte) 0);
            case ONES -> Arrays.fill(bytes, from, to, (byte) 0xff);
            case HALF -> Arrays.fill(bytes, from + 2048, to, (byte) 0);
            case NOISE -> {
                byte[] noise = new byte[4096];
                new Random(page).nextBytes(noise);
                System.arraycopy(noise, 0, bytes, from, noise.length);
            }
        }
        Files.write(file, bytes);
    }

    private static Change said(String id, String text) {
        return new Change.AppendMessages(
                SESSION,
                List.of(Message.builder(new MessageId(id), Role.USER, Content.text(text), Openings.NOW)
                        .build()));
    }
}
