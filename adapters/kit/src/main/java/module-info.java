import org.jspecify.annotations.NullMarked;

/** What platform adapters share: the API client, texts and their markup, receipts in order, limits, gates, rows as JSON. */
@NullMarked
module dev.parley.adapter.kit {
    requires transitive com.fasterxml.jackson.databind;
    requires transitive dev.parley.application;
    requires transitive java.net.http;
    requires org.commonmark;
    requires org.commonmark.ext.gfm.strikethrough;
    requires org.commonmark.ext.gfm.tables;
    requires static org.jspecify;

    exports dev.parley.adapter.kit.access;
    exports dev.parley.adapter.kit.api;
    exports dev.parley.adapter.kit.flow;
    exports dev.parley.adapter.kit.json;
    exports dev.parley.adapter.kit.media;
    exports dev.parley.adapter.kit.settings;
    exports dev.parley.adapter.kit.text;
}
