package dev.parley.spring;

import dev.parley.application.port.ParleyException;
import java.util.Optional;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells why a gateway does not start in the gateway's own words, which say what to do, and without a stack. */
final class StartFailureAnalyzer extends AbstractFailureAnalyzer<ParleyException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ParleyException cause) {
        return new FailureAnalysis(
                Optional.ofNullable(cause.getMessage()).orElse("The gateway does not start."),
                "Set parley.enabled=false to start the application without its gateway.",
                cause);
    }
}
