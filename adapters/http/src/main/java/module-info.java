import org.jspecify.annotations.NullMarked;

/** Messages over HTTP. */
@NullMarked
module dev.parley.adapter.http {
    requires com.fasterxml.jackson.databind;
    requires dev.parley.application;
    requires io.javalin;
    requires static org.jspecify;
}
