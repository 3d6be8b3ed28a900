package dev.parley.persistence.sqlite.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.text.RawJson;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.persistence.sql.json.RawJsonText;
import dev.parley.persistence.sql.json.ToolCallsText;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands in text columns (storage 4.1, 4.3). */
class ColumnTextTest {
    @Test
    @DisplayName("storage 4.1: lists and objects stand behind the marker, and come back with their texts")
    void multipartContentStandsBehindAMarker() {
        RawJson json = new RawJson("[{\"type\":\"text\",\"text\":\"截图\"},{\"type\":\"image_url\",\"image_url\":{}}]");

        String column = ContentText.write(new Content.Multipart(json, List.of()));

        assertThat(column).isEqualTo("\u0000json:" + json.text());
        assertThat(ContentText.read(column)).isEqualTo(new Content.Multipart(json, List.of("截图")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0000json:[{broken", "\u0000json:", "\u0000json:[] trailing"})
    @DisplayName("storage 4.3: what cannot be decoded is text, marker included")
    void whatCannotBeDecodedIsText(String column) {
        assertThat(ContentText.read(column)).isEqualTo(Content.text(column));
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "2.5", "true", "NaN"})
    @DisplayName("storage 4.3: a number or truth value behind the marker is its spelling")
    void aScalarBehindTheMarkerIsItsSpelling(String json) {
        assertThat(ContentText.read("\u0000json:" + json)).isEqualTo(Content.text(json));
    }

    @Test
    @DisplayName("storage 4.3: null behind the marker is no content, and numbers that are none are no damage")
    void nullBehindTheMarkerIsNoContent() {
        assertThat(ContentText.read("\u0000json:null")).isEqualTo(Content.none());
        String parts = "[{\"type\":\"text\",\"text\":\"said\",\"score\":NaN}]";
        assertThat(ContentText.read("\u0000json:" + parts))
                .isEqualTo(new Content.Multipart(new RawJson(parts), List.of("said")));
    }

    @Test
    @DisplayName("storage 4.3: a text behind the marker is decoded to that text")
    void aTextBehindTheMarkerIsDecoded() {
        assertThat(ContentText.read("\u0000json:\"said \\u5927\"")).isEqualTo(Content.text("said 大"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{}", "null", "", "{oops"})
    @DisplayName("6: what was stored before is written as it was, also where it says nothing")
    void importedJsonIsWrittenAsItIs(String json) {
        assertThat(RawJsonText.writeUnchanged(RawJsonText.read(json))).isEqualTo(json);
        assertThat(ToolCallsText.writeUnchanged(
                        Optional.of(new ToolCalls(Optional.of(new RawJson(json)), List.of(), 1))))
                .isEqualTo(json);
    }

    @Test
    @DisplayName("storage 4.1: null stays null and the empty text stays empty")
    void absentAndEmptyContentAreTwoThings() {
        assertThat(ContentText.write(Content.none())).isNull();
        assertThat(ContentText.write(Content.text(""))).isEmpty();
        assertThat(ContentText.read(null)).isEqualTo(Content.none());
        assertThat(ContentText.read("")).isEqualTo(Content.text(""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud83d", "\ude80", "a\ud83db", "\ude80\ud83d"})
    @DisplayName("storage 4.1: half a surrogate pair becomes U+FFFD")
    void halfASurrogatePairIsReplaced(String text) {
        assertThat(Unicode.wellFormed(text)).contains("\ufffd").doesNotMatch("(?s).*[\ud800-\udfff].*");
    }

    @Test
    void wholeSurrogatePairsStay() {
        assertThat(Unicode.wellFormed("🚀 café 漓江")).isEqualTo("🚀 café 漓江");
        assertThat(Unicode.wellFormed("🚀\ud83d🚀")).isEqualTo("🚀\ufffd🚀");
    }

    @Test
    @DisplayName("storage 4.1: calls made here are written in the usual shape, non-ASCII as it is")
    void callsAreWrittenInTheUsualShape() {
        String column =
                ToolCallsText.write(Optional.of(ToolCalls.of(List.of(new ToolCall("c1", "search", "{\"q\":\"漓江\"}")))));

        assertThat(column)
                .isEqualTo("[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"search\","
                        + "\"arguments\":\"{\\\"q\\\":\\\"漓江\\\"}\"}}]");
        assertThat(ToolCallsText.read(column).orElseThrow().calls())
                .containsExactly(new ToolCall("c1", "search", "{\"q\":\"漓江\"}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{}", "null", "", " [ ] "})
    @DisplayName("storage 4.1: lists and objects that say nothing are stored as null")
    void emptyJsonIsNotStored(String json) {
        assertThat(RawJsonText.write(Optional.of(new RawJson(json)))).isNull();
        assertThat(ToolCallsText.write(Optional.of(new ToolCalls(Optional.of(new RawJson(json)), List.of(), 1))))
                .isNull();
    }

    @Test
    @DisplayName("storage 4.3: calls that cannot be read are none, and the text is kept")
    void malformedCallsAreNone() {
        ToolCalls calls = ToolCallsText.read("[{broken").orElseThrow();

        assertThat(calls.calls()).isEmpty();
        assertThat(calls.json()).contains(new RawJson("[{broken"));
        assertThat(calls.count()).isEqualTo(1);
    }
}
