package dev.parley.adapter.console;

import io.jstach.jstache.JStache;
import java.util.List;

/** The pages, a record each; a page is a function of its record. */
final class Pages {
    private Pages() {}

    /**
     * What every page has around it.
     *
     * @param title what the page is
     * @param places the pages there are
     * @param state how the gateway is, in a word
     * @param mood what colours that word
     * @param role what the reader may do
     * @param csrf what forms carry back; empty where no cookie says who asks
     * @param live the topics at which the page looks again
     * @param since the place in the feed of changes from which on it has to be told
     * @param told what an operator has to know on every page; empty where all is well
     * @param zone whose times the page shows
     * @param style the address of the style
     * @param script the address of the script
     */
    record Frame(
            String title,
            List<Place> places,
            String state,
            String mood,
            String role,
            String csrf,
            String live,
            String since,
            String told,
            String zone,
            String style,
            String script) {
        boolean well() {
            return told.isEmpty();
        }

        boolean known() {
            return !csrf.isEmpty();
        }
    }

    /**
     * A page that may not be there.
     *
     * @param status 200, or 404 where what it is about does not exist
     * @param html the page
     */
    record Found(int status, String html) {}

    /** A page in the head's list. */
    record Place(String label, String href, String key, boolean here) {}

    /** A fact, such as a number, with what it is. */
    record Fact(String name, String value, String href, String mood) {
        /** Returns what names it in the page. */
        String id() {
            return "fact-" + name.replace(' ', '-');
        }

        static Fact of(String name, String value) {
            return new Fact(name, value, "", "");
        }

        boolean linked() {
            return !href.isEmpty();
        }
    }

    /** A choice of a filter. */
    record Choice(String label, String href, boolean here) {}

    /** Choices of one filter, with what they choose; empty where that is plain. */
    record Choices(String label, List<Choice> choices) {
        boolean named() {
            return !label.isEmpty();
        }
    }

    /** What a page is searched with: its fields, and the filters that are chosen besides. */
    record Sought(String action, List<Field> fields, List<Carried> carried) {}

    /**
     * A field of a search.
     *
     * @param label what it is for
     * @param name its parameter
     * @param type how it is filled in, as HTML calls it
     * @param value what it says
     */
    record Field(String label, String name, String type, String value) {}

    /**
     * Something that can be done, which asks first.
     *
     * @param label what
     * @param href where it asks
     * @param when when it can be done
     * @param why what speaks against it; empty where nothing does
     */
    record Deed(String label, String href, When when, String why) {
        /** When something can be done. */
        enum When {
            NOW,
            /** Once the page changes, which must not move what people are about to press. */
            LATER,
            NEVER
        }

        /** Returns what can be done now. */
        static Deed now(String label, String href) {
            return new Deed(label, href, When.NOW, "");
        }

        boolean possible() {
            return when == When.NOW;
        }

        boolean later() {
            return when == When.LATER;
        }

        boolean never() {
            return when == When.NEVER;
        }
    }

    /** A bar of a plot, in its own coordinates. */
    record Bar(double x, double y, double width, double height, String kind, String title) {}

    /**
     * A plot, in coordinates of 720 by 180.
     *
     * @param kind how high it is drawn: empty, or {@code small}
     * @param caption what it shows
     * @param keys what its colours mean
     * @param note how high it reaches
     * @param from where it begins
     * @param to where it ends
     * @param bars the bars
     */
    record Plot(String kind, String caption, List<Key> keys, String note, String from, String to, List<Bar> bars) {}

    /** What a colour of a plot means. */
    record Key(String kind, String text) {}

    /**
     * What can be saved as a file.
     *
     * @param files the files
     * @param limits where it is said what a scenario cannot hold; empty where none is saved
     */
    record Saves(List<Choice> files, String limits) {
        static final Saves NOTHING = new Saves(List.of(), "");

        boolean limited() {
            return !limits.isEmpty();
        }
    }

    /** A page of facts and tables. */
    @JStache(path = "sheet")
    record Sheet(
            Frame frame,
            String intro,
            List<Fact> facts,
            List<Sought> searches,
            List<Choices> filters,
            List<Deed> deeds,
            List<Plot> plots,
            List<Table> tables,
            Saves saves) {
        boolean saved() {
            return !saves.files().isEmpty();
        }

        boolean introduced() {
            return !intro.isEmpty();
        }

        boolean acted() {
            return !deeds.isEmpty();
        }

        boolean stated() {
            return !facts.isEmpty();
        }
    }

    /** A message of a transcript. */
    record Said(
            String id,
            String who,
            String at,
            String exact,
            String text,
            String state,
            String note,
            List<Fold> folds,
            String raw) {
        boolean coded() {
            return !raw.isEmpty();
        }

        boolean noted() {
            return !note.isEmpty();
        }

        boolean spoken() {
            return !text.isEmpty();
        }
    }

    /** A part that is shown when it is unfolded. */
    record Fold(String name, String text) {}

    /** A conversation. */
    @JStache(path = "transcript")
    record Transcript(
            Frame frame,
            List<Fact> facts,
            List<Choice> lineage,
            List<Choice> views,
            List<Table> tables,
            List<Said> messages,
            String earlier,
            String later,
            String failure,
            String done,
            List<Deed> deeds,
            Saves saves) {
        boolean introduced() {
            return !done.isEmpty();
        }

        boolean acted() {
            return !deeds.isEmpty();
        }

        boolean saved() {
            return !saves.files().isEmpty();
        }

        boolean hasEarlier() {
            return !earlier.isEmpty();
        }

        boolean hasLater() {
            return !later.isEmpty();
        }

        boolean related() {
            return !lineage.isEmpty();
        }

        boolean failed() {
            return !failure.isEmpty();
        }

        boolean silent() {
            return !failed() && messages.isEmpty() && tables.isEmpty();
        }
    }

    /** A field that a form carries back as it is. */
    record Carried(String name, String value) {}

    /** A field that an operator fills in. */
    record Typed(String name, String label, String value) {}

    /**
     * Asks whether something shall be done.
     *
     * @param frame what is around it; its title is what the button says
     * @param question what is asked
     * @param happens what will happen
     * @param back how it is taken back
     * @param action where the answer goes
     * @param carried what the answer carries back: what it is about, and how that stood
     * @param typed what has to be filled in
     * @param away where those go who do not want it
     */
    @JStache(path = "confirm")
    record Confirm(
            Frame frame,
            String question,
            String happens,
            String back,
            String action,
            List<Carried> carried,
            List<Typed> typed,
            String away) {}

    /**
     * Asks for the number of sessions that are to be deleted.
     *
     * @param frame what is around it
     * @param choices how old they may be
     * @param question what is asked
     * @param happens what will happen
     * @param counted how many there are; empty where there are none
     * @param action where the answer goes
     * @param before from when on sessions stay, in milliseconds
     * @param away where those go who do not want it
     */
    @JStache(path = "prune")
    record Counted(
            Frame frame,
            List<Choice> choices,
            String question,
            String happens,
            String counted,
            String action,
            String before,
            String away) {
        boolean some() {
            return !counted.isEmpty();
        }
    }

    /** A choice of a field. */
    record Pick(String value, String label, boolean here) {}

    /**
     * The fields of a reset policy.
     *
     * @param name what its fields are called behind what they are
     * @param label for which lanes it is
     * @param modes what may end a session
     * @param hour the hour of the daily boundary
     * @param idle the minutes without activity
     */
    record Scope(String name, String label, List<Pick> modes, String hour, String idle) {}

    /**
     * A what-if that runs or has run.
     *
     * @param job its id
     * @param said how it stands
     * @param done how far it is
     * @param total how far it goes
     * @param running whether it is under way
     * @param failed whether it could not go on
     * @param facts what it has found
     * @param tables the lanes; none while it runs
     * @param yaml its policies as they stand in a configuration
     * @param saved where what it found is saved from
     */
    record Run(
            String job,
            String said,
            String done,
            String total,
            boolean running,
            boolean failed,
            List<Fact> facts,
            List<Table> tables,
            String yaml,
            String saved) {
        boolean over() {
            return !running;
        }
    }

    /**
     * Asks what another reset policy would have done, and says it.
     *
     * @param frame what is around it
     * @param action where the form goes
     * @param cancel where the form goes that ends a job
     * @param scopes the policies of the form
     * @param periods how far it may look back
     * @param zone the zone of the hours
     * @param runs the job; none where none was begun
     */
    @JStache(path = "what-if")
    record WhatIf(
            Frame frame,
            String action,
            String cancel,
            List<Scope> scopes,
            List<Pick> periods,
            String zone,
            List<Run> runs) {}

    /** Says one thing. */
    @JStache(path = "notice")
    record Notice(Frame frame, String text, String href, String label) {}

    /** Lets somebody in. */
    @JStache(path = "login")
    record Login(String style, String script, String next, String refused) {
        boolean again() {
            return !refused.isEmpty();
        }
    }
}
