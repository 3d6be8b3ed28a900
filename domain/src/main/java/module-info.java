import org.jspecify.annotations.NullMarked;

/** Pure values and rules of conversations; needs nothing but the platform. */
@NullMarked
module dev.parley.domain {
    requires static org.jspecify;

    exports dev.parley.domain.change;
    exports dev.parley.domain.context;
    exports dev.parley.domain.key;
    exports dev.parley.domain.reset;
    exports dev.parley.domain.search;
    exports dev.parley.domain.session;
    exports dev.parley.domain.source;
    exports dev.parley.domain.text;
    exports dev.parley.domain.title;
    exports dev.parley.domain.transcript;
    exports dev.parley.domain.turn;
    exports dev.parley.domain.usage;
}
