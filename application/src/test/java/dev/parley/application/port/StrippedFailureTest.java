package dev.parley.application.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.change.BatchId;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class StrippedFailureTest {
    private static final String SECRET = "what somebody wrote";

    private static String written(Throwable failure) {
        StringWriter written = new StringWriter();
        failure.printStackTrace(new PrintWriter(written));
        return written.toString();
    }

    @Test
    void anExceptionIsToldByItsTypeItsPlaceAndItsCausesAlone() {
        Throwable thrown = new IllegalStateException(SECRET, new IllegalArgumentException(SECRET));

        assertThat(StrippedFailure.told(thrown))
                .startsWith("java.lang.IllegalStateException at ")
                .contains("StrippedFailureTest.java:");
        assertThat(written(StrippedFailure.of(thrown)))
                .contains("java.lang.IllegalStateException at ", "java.lang.IllegalArgumentException at ")
                .doesNotContain(SECRET);
    }

    @Test
    void theNamesOfCodeAndParleysOwnWordsAreKept() {
        Throwable linkage = new NoSuchMethodError("void close()");
        Throwable own = new StorageUnavailable("The disk is full.", null);

        assertThat(StrippedFailure.told(linkage)).endsWith("(void close())");
        assertThat(StrippedFailure.told(own)).isEqualTo("The disk is full.");
        assertThat(StrippedFailure.of(linkage)).isSameAs(linkage);
        assertThat(written(
                        StrippedFailure.of(new StorageUnavailable("The disk is full.", new RuntimeException(SECRET)))))
                .contains("The disk is full.")
                .doesNotContain(SECRET);
    }

    @Test
    void aRequestThatForeignCodeRefusedIsToldWithoutItsWords() {
        InvalidRequest foreign = new InvalidRequest(SECRET);
        foreign.setStackTrace(
                new StackTraceElement[] {new StackTraceElement("org.example.Store", "commit", "Store.java", 7)});

        assertThat(StrippedFailure.told(foreign))
                .isEqualTo("dev.parley.application.port.InvalidRequest at org.example.Store.commit(Store.java:7)");
        assertThat(written(StrippedFailure.of(foreign))).doesNotContain(SECRET);
        assertThat(StrippedFailure.told(new InvalidRequest("There is no such lane.")))
                .isEqualTo("There is no such lane.");
    }

    @Test
    void oneLineHasTheFirstWordsOfParleyOrElseTheFirstAndTheLastType() {
        Throwable own = new IllegalStateException(SECRET, new StorageUnavailable("The disk is full.\nTwice.", null));
        Throwable foreign = new IllegalStateException(SECRET, new IllegalArgumentException(SECRET));

        assertThat(StrippedFailure.line(own)).isEqualTo("The disk is full.");
        assertThat(StrippedFailure.line(StrippedFailure.of(own))).startsWith("java.lang.IllegalStateException at ");
        assertThat(StrippedFailure.line(foreign))
                .startsWith("java.lang.IllegalStateException at ")
                .contains(", caused by java.lang.IllegalArgumentException at ")
                .doesNotContain(SECRET);
    }

    @Test
    void anEndlessChainOfCausesEnds() {
        Exception first = new IllegalStateException();
        Exception second = new IllegalStateException(first);
        first.initCause(second);

        int length = 0;
        for (Throwable each = StrippedFailure.of(first); each != null; each = each.getCause()) {
            length++;
        }
        assertThat(length).isBetween(2, 20);
    }

    @Test
    void aBatchThatCannotBeStoredIsRefusedWithoutItsTexts() {
        ParleyException refused =
                Ledger.refusal(new BatchId("w", 3), new IllegalArgumentException(SECRET, new Exception(SECRET)));

        assertThat(refused).isInstanceOf(InvalidRequest.class).hasMessageContaining("The batch w:3 cannot be stored");
        assertThat(written(refused)).contains("IllegalArgumentException").doesNotContain(SECRET);
    }
}
