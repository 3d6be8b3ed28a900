package dev.parley.bootstrap.wiring;

import dev.parley.home.log.LogLine;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** The log of the process, under {@code parley.gateway}. */
final class ProcessLog implements LogLine.Sink {
    private static final Logger LOG = LoggerFactory.getLogger("parley.gateway");

    @Override
    public boolean takes(System.Logger.Level level) {
        return LOG.isEnabledForLevel(of(level));
    }

    @Override
    public void write(LogLine line) {
        LoggingEventBuilder event = LOG.atLevel(of(line.level()));
        for (Map.Entry<String, Object> pair : line.pairs().entrySet()) {
            event = event.addKeyValue(pair.getKey(), pair.getValue());
        }
        if (line.cause().isPresent()) {
            event = event.setCause(line.cause().get());
        }
        event.log("{}", line.text());
    }

    private static Level of(System.Logger.Level level) {
        return switch (level) {
            case ERROR -> Level.ERROR;
            case WARNING -> Level.WARN;
            case INFO -> Level.INFO;
            default -> Level.DEBUG;
        };
    }
}
