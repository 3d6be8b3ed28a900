import org.jspecify.annotations.NullMarked;

/** Traces of turns for a collector that speaks OTLP. */
@NullMarked
module dev.parley.adapter.otlp {
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires dev.parley.application;
    requires io.opentelemetry.api;
    requires io.opentelemetry.context;
    requires io.opentelemetry.exporter.otlp;
    requires io.opentelemetry.sdk.common;
    requires io.opentelemetry.sdk.trace;
    requires java.net.http;
    requires static org.jspecify;

    provides dev.parley.application.spi.ObserverProvider with
            dev.parley.adapter.otlp.OtlpProvider;
}
