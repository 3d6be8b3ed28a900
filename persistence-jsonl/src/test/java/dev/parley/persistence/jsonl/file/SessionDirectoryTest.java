package dev.parley.persistence.jsonl.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("storage 7.2, 7.4: numbers, and the latest file of an identity")
class SessionDirectoryTest {
    @TempDir
    Path directory;

    static Stream<JsonNode> recorded() throws IOException {
        return SessionNamesTest.Expected.stream("find_latest");
    }

    /** Where the original stops at a name without a number, or takes another agent's file, the required answer is another. */
    @ParameterizedTest
    @MethodSource("recorded")
    void theLatestFileAndTheNextNumberAreTheRecordedOnes(JsonNode expected) throws IOException {
        for (JsonNode file : expected.get("files")) {
            boolean others = file.asText().equals("crab_user_5_1.jsonl");
            write(file.asText(), others ? "crab_user" : "crab", others ? "5" : "user");
        }
        SessionDirectory files = new SessionDirectory(directory);
        assertThat(files.findLatest("crab", "user")
                        .map(path -> path.getFileName().toString())
                        .orElse(null))
                .isEqualTo(required(expected));
        assertThat(files.create(SessionNames.of("crab", "user")))
                .isEqualTo(expected.get("next_created").asText());
    }

    private static String required(JsonNode expected) {
        String files = expected.get("files").toString();
        return files.contains("crab_user_x") || files.contains("crab_user_5_1")
                ? "crab_user_2.jsonl"
                : expected.get("latest").asText(null);
    }

    @Test
    void aFileOfAnotherIdentityWithTheSameNameIsNotTaken() throws IOException {
        write("crab_tg-1_3.jsonl", "crab", "TG:1");
        write("crab_tg-1_2.jsonl", "crab", "tg-1");
        SessionDirectory files = new SessionDirectory(directory);
        assertThat(files.findLatest("crab", "tg-1")).hasValue(directory.resolve("crab_tg-1_2.jsonl"));
        assertThat(files.findLatest("crab", "TG:1")).hasValue(directory.resolve("crab_tg-1_3.jsonl"));
        assertThat(files.findLatest("crab", "Tg:1")).isEmpty();
    }

    @Test
    void ofTwoFilesWithOneNumberTheOneChangedLastIsTaken() throws IOException {
        write("crab_user_3.jsonl", "crab", "user");
        write("crab_user_3_title.jsonl", "crab", "user");
        Files.setLastModifiedTime(
                directory.resolve("crab_user_3.jsonl"), FileTime.from(Instant.parse("2026-03-10T12:00:00Z")));
        Files.setLastModifiedTime(
                directory.resolve("crab_user_3_title.jsonl"), FileTime.from(Instant.parse("2026-03-10T11:00:00Z")));
        assertThat(new SessionDirectory(directory).findLatest("crab", "user"))
                .hasValue(directory.resolve("crab_user_3.jsonl"));
    }

    @Test
    void aDirectoryThatIsNotThereHasNoLatestFile() throws IOException {
        assertThat(new SessionDirectory(directory.resolve("none")).findLatest("crab", "user"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1_my-chat,2", "12abc,13", "0,1", "x,1", "4294967296,1"})
    void theNextNumberIsOneMoreThanTheGreatest(String number, long next) throws IOException {
        write("crab_user_" + number + ".jsonl", "crab", "user");
        Files.createDirectory(directory.resolve("crab_other_4.jsonl"));
        SessionDirectory files = new SessionDirectory(directory);
        assertThat(files.create(SessionNames.of("crab", "user"))).isEqualTo("crab_user_" + next + ".jsonl");
        assertThat(files.create(SessionNames.of("crab", "other"))).isEqualTo("crab_other_5.jsonl");
    }

    @Test
    void aNameTakenMeanwhileIsLeftAlone() throws IOException {
        SessionDirectory files = new SessionDirectory(directory);
        assertThat(files.create(SessionNames.of("crab", "user"))).isEqualTo("crab_user_1.jsonl");
        write("crab_user_2.jsonl", "crab", "user");
        assertThat(files.create(SessionNames.of("crab", "user"))).isEqualTo("crab_user_3.jsonl");
        assertThat(Files.size(directory.resolve("crab_user_2.jsonl"))).isPositive();
    }

    private void write(String name, String agent, String sender) throws IOException {
        Files.write(
                directory.resolve(name),
                MetaLine.of(agent, sender, Instant.EPOCH, "", 0).toBytes());
    }
}
