package dev.parley.adapter.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people write stays text, in every field of every page. */
class HostileTextsTest {
    private static final Path FILES = Path.of("src", "main", "resources", "dev", "parley", "adapter", "console");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "\"><img src=x onerror=alert(1)>",
                "' onmouseover='alert(1)",
                "</textarea></title><svg onload=alert(1)>",
                "{{frame.csrf}}{{{x}}}",
                "&lt;script&gt;&#60;b&#62;"
            })
    void aTextAddsNoElementAndNoAttributeToAPage(String text) {
        List<String> plain = everyPage("plain");
        List<String> hostile = everyPage(text);
        for (int i = 0; i < plain.size(); i++) {
            Document page = Jsoup.parse(hostile.get(i));
            assertThat(shape(page)).isEqualTo(shape(Jsoup.parse(plain.get(i))));
            assertThat(page.wholeText()).contains(text);
        }
    }

    @Test
    void noTemplateHasAScriptAStyleOrAHandlerOfItsOwnNorLetsTextThroughRaw() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".mustache")).toList()) {
                String text = Files.readString(file);
                assertThat(text).as(file.toString()).doesNotContain("{{{", "{{&", " style=", "<style", "javascript:");
                assertThat(text).as(file.toString()).doesNotContainPattern("\\son[a-z]+=");
                assertThat(text).as(file.toString()).doesNotContainPattern("<script(?![^>]*src=)");
            }
        }
    }

    @Test
    void theScriptMakesNoElementsOfTexts() throws IOException {
        assertThat(Files.readString(FILES.resolve("console.js")))
                .doesNotContain("innerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function");
    }

    @Test
    void scriptAndStyleStayWithinTheirBudgets() throws IOException {
        assertThat(Files.size(FILES.resolve("console.js"))).isLessThanOrEqualTo(12 * 1024);
        assertThat(Files.size(FILES.resolve("console.css"))).isLessThanOrEqualTo(10 * 1024);
    }

    @Test
    void aListThatCannotBeReadIsNotShownAsEmpty() {
        Document page = Jsoup.parse(sheet("x", Table.unavailable("Lanes", "The storage is away.")));

        assertThat(page.select(".note.bad").text()).contains("cannot be shown now", "The storage is away.");
        assertThat(page.select(".empty")).isEmpty();
    }

    @Test
    void everyFieldOfAFormAndEveryPictureHasAName() {
        for (String html : everyPage("plain")) {
            Document page = Jsoup.parse(html);
            for (Element field : page.select("input:not([type=hidden]), select, progress")) {
                assertThat(field.hasAttr("aria-label") || field.closest("label") != null)
                        .as(field.outerHtml())
                        .isTrue();
            }
            assertThat(page.select("html[lang]")).hasSize(1);
            assertThat(page.select("main h1")).hasSize(1);
            assertThat(page.select("svg:not([aria-label])")).isEmpty();
        }
    }

    private static Set<String> shape(Document page) {
        Set<String> shape = new TreeSet<>();
        for (Element element : page.getAllElements()) {
            StringBuilder line = new StringBuilder(element.tagName());
            element.parents().forEach(parent -> line.insert(0, parent.tagName() + " "));
            for (Attribute attribute : element.attributes()) {
                line.append(' ').append(attribute.getKey());
            }
            shape.add(line.toString());
        }
        return shape;
    }

    private static List<String> everyPage(String text) {
        Table table = new Table(
                text,
                List.of(text),
                List.of(new Row(
                        "row-" + text,
                        List.of(
                                new Cell(text, text, Link.lane(text), text, "ok"),
                                new Cell(text, text, "", text, "warn"),
                                new Cell(text, ">>>" + text + "<<< " + text, Link.lane(text), text, "found")),
                        List.of(Cell.text(text, text)))),
                text,
                "",
                Link.lane(text),
                text);
        return List.of(
                sheet(text, table),
                TranscriptRenderer.of()
                        .execute(new Pages.Transcript(
                                frame(text),
                                List.of(new Pages.Fact(text, text, Link.lane(text), "")),
                                List.of(new Pages.Choice(text, Link.lane(text), true)),
                                List.of(new Pages.Choice(text, Link.lane(text), true)),
                                List.of(table),
                                List.of(new Pages.Said(
                                        "m-" + text,
                                        text,
                                        text,
                                        text,
                                        text,
                                        text,
                                        text,
                                        List.of(new Pages.Fold(text, text)),
                                        text)),
                                Link.lane(text),
                                Link.lane(text),
                                text,
                                text,
                                List.of(new Pages.Deed(text, Link.lane(text), Pages.Deed.When.NOW, text)),
                                new Pages.Saves(
                                        List.of(new Pages.Choice(text, Link.lane(text), false)), Link.lane(text)))),
                ConfirmRenderer.of()
                        .execute(new Pages.Confirm(
                                frame(text),
                                text,
                                text,
                                text,
                                Link.lane(text),
                                List.of(new Pages.Carried("a", text)),
                                List.of(new Pages.Typed("b", text, text)),
                                Link.lane(text))),
                CountedRenderer.of()
                        .execute(new Pages.Counted(
                                frame(text),
                                List.of(new Pages.Choice(text, Link.lane(text), true)),
                                text,
                                text,
                                text,
                                Link.lane(text),
                                text,
                                Link.lane(text))),
                WhatIfRenderer.of()
                        .execute(new Pages.WhatIf(
                                frame(text),
                                Link.lane(text),
                                Link.lane(text),
                                List.of(new Pages.Scope(
                                        text, text, List.of(new Pages.Pick(text, text, true)), text, text)),
                                List.of(new Pages.Pick(text, text, false)),
                                text,
                                List.of(run(text, table, true), run(text, table, false)))),
                NoticeRenderer.of().execute(new Pages.Notice(frame(text), text, Link.lane(text), text)),
                LoginRenderer.of().execute(new Pages.Login("/s", "/j", Link.lane(text), text)));
    }

    private static Pages.Run run(String text, Table table, boolean running) {
        return new Pages.Run(
                text,
                text,
                text,
                text,
                running,
                true,
                List.of(Pages.Fact.of(text, text)),
                List.of(table),
                text,
                Link.lane(text));
    }

    private static String sheet(String text, Table table) {
        return SheetRenderer.of()
                .execute(new Pages.Sheet(
                        frame(text),
                        text,
                        List.of(new Pages.Fact(text, text, "", text)),
                        List.of(new Pages.Sought(
                                Link.lane(text),
                                List.of(new Pages.Field(text, text, text, text)),
                                List.of(new Pages.Carried(text, text)))),
                        List.of(new Pages.Choices(text, List.of(new Pages.Choice(text, Link.lane(text), false)))),
                        List.of(
                                new Pages.Deed(text, Link.lane(text), Pages.Deed.When.NOW, text),
                                new Pages.Deed(text, "", Pages.Deed.When.LATER, text),
                                new Pages.Deed(text, "", Pages.Deed.When.NEVER, text)),
                        List.of(new Pages.Plot(
                                text,
                                text,
                                List.of(new Pages.Key(text, text)),
                                text,
                                text,
                                text,
                                List.of(new Pages.Bar(1, 2, 3, 4, text, text)))),
                        List.of(table),
                        new Pages.Saves(List.of(new Pages.Choice(text, Link.lane(text), false)), Link.lane(text))));
    }

    private static Pages.Frame frame(String text) {
        return new Pages.Frame(
                text,
                List.of(new Pages.Place(text, Link.lane(text), text, true)),
                text,
                text,
                text,
                text,
                text,
                text,
                text,
                text,
                "/s",
                "/j");
    }
}
