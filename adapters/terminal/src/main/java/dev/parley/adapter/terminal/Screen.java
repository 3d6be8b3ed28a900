package dev.parley.adapter.terminal;

/** Where a person types and reads. Reading is done by one thread; everything else is safe for concurrent use. */
interface Screen extends AutoCloseable {
    /** What a person did. */
    sealed interface Typed {
        /**
         * A message was entered.
         *
         * @param text the message, possibly of several lines
         */
        record Message(String text) implements Typed {}

        /**
         * A message was entered that is longer than messages may be; it is left out.
         *
         * @param limit the most characters that a message may have
         */
        record TooLong(int limit) implements Typed {}

        /** Ctrl-C was pressed while nothing was awaited. */
        record Interrupted() implements Typed {}

        /** Nothing more will come: Ctrl-D was pressed, or the input has ended. */
        record End() implements Typed {}
    }

    /** Waits for what comes next. */
    Typed read();

    /** Shows a piece of an answer, just behind what was shown before. */
    void stream(String piece);

    /** Ends the line that pieces were shown on. */
    void endStream();

    /** Shows a text on lines of its own. */
    void show(String text);

    /** Shows something that the gateway says about itself, on lines of its own. */
    void note(String text);

    /** Runs this when Ctrl-C is pressed while an answer is awaited. */
    void onInterrupt(Runnable action);

    /** Returns whether a person sits before it. */
    boolean isInteractive();

    /** Lets go of the terminal; a thread that waits in {@link #read} may be left waiting where the input cannot be closed. */
    @Override
    void close();
}
