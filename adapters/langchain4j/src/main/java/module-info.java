import org.jspecify.annotations.NullMarked;

/** Agents made of a LangChain4j model and tools. */
@NullMarked
module dev.parley.adapter.langchain4j {
    requires transitive dev.parley.application;
    requires transitive langchain4j.core;
    requires static org.jspecify;

    exports dev.parley.adapter.langchain4j;
}
