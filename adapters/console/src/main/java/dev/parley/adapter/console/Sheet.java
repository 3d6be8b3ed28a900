package dev.parley.adapter.console;

import java.util.List;

/** Builds a page of facts and tables; every part but what is around it may be left out. */
final class Sheet {
    private final Pages.Frame frame;
    private String intro = "";
    private List<Pages.Fact> facts = List.of();
    private List<Pages.Sought> searches = List.of();
    private List<Pages.Choices> filters = List.of();
    private List<Pages.Deed> deeds = List.of();
    private List<Pages.Plot> plots = List.of();
    private List<Table> tables = List.of();
    private Pages.Saves saves = Pages.Saves.NOTHING;

    private Sheet(Pages.Frame frame) {
        this.frame = frame;
    }

    static Sheet of(Pages.Frame frame) {
        return new Sheet(frame);
    }

    Sheet intro(String text) {
        this.intro = text;
        return this;
    }

    Sheet facts(List<Pages.Fact> all) {
        this.facts = all;
        return this;
    }

    Sheet search(Pages.Sought field) {
        this.searches = List.of(field);
        return this;
    }

    /** Sets the filters, each with its choices. */
    Sheet filters(List<Pages.Choices> all) {
        this.filters = all;
        return this;
    }

    /** Sets the only filter there is. */
    Sheet choices(List<Pages.Choice> all) {
        return filters(List.of(new Pages.Choices("", all)));
    }

    Sheet deeds(List<Pages.Deed> all) {
        this.deeds = all;
        return this;
    }

    Sheet plots(List<Pages.Plot> all) {
        this.plots = all;
        return this;
    }

    Sheet tables(List<Table> all) {
        this.tables = all;
        return this;
    }

    Sheet saves(Pages.Saves all) {
        this.saves = all;
        return this;
    }

    String html() {
        return SheetRenderer.of()
                .execute(new Pages.Sheet(frame, intro, facts, searches, filters, deeds, plots, tables, saves));
    }
}
