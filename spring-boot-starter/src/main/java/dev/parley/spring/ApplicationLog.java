package dev.parley.spring;

import dev.parley.home.log.LogLine;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** The application's log, under {@code parley.gateway}. */
final class ApplicationLog implements LogLine.Sink {
    static final Log LOG = LogFactory.getLog("parley.gateway");

    @Override
    public boolean takes(System.Logger.Level level) {
        return switch (level) {
            case ERROR -> LOG.isErrorEnabled();
            case WARNING -> LOG.isWarnEnabled();
            case INFO -> LOG.isInfoEnabled();
            default -> LOG.isDebugEnabled();
        };
    }

    @Override
    public void write(LogLine line) {
        Throwable cause = line.cause().orElse(null);
        switch (line.level()) {
            case ERROR -> LOG.error(line.text(), cause);
            case WARNING -> LOG.warn(line.text(), cause);
            case INFO -> LOG.info(line.text(), cause);
            default -> LOG.debug(line.text(), cause);
        }
    }
}
