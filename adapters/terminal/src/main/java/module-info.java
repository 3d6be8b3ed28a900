import org.jspecify.annotations.NullMarked;

/** A conversation in the terminal. */
@NullMarked
module dev.parley.adapter.terminal {
    requires dev.parley.application;
    requires org.jline.reader;
    requires org.jline.terminal;
    requires static org.jspecify;
}
