/** An offline agent that answers with what it was told. */
module dev.parley.adapter.echo {
    requires dev.parley.application;
    requires static org.jspecify;
}
