package dev.parley.adapter.echo;

import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.AgentProvider;
import dev.parley.application.spi.ProviderSettings;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Set;

/**
 * Makes the agent {@code echo}. Its only setting, {@code delay}, is a number of seconds that it waits before each piece of its
 * answer, for trying out what happens while a turn runs; without it there is no waiting.
 */
public final class EchoProvider implements AgentProvider {
    private static final String DELAY = "delay";
    private static final BigDecimal LONGEST_SECONDS = BigDecimal.valueOf(3600);

    @Override
    public String name() {
        return EchoAgent.NAME;
    }

    @Override
    public Set<String> settings() {
        return Set.of(DELAY);
    }

    @Override
    public AgentFactory create(ProviderSettings settings) {
        return new EchoFactory(
                settings,
                settings.value(DELAY).map(text -> delay(settings, text)).orElse(Duration.ZERO));
    }

    private static Duration delay(ProviderSettings settings, String text) {
        try {
            BigDecimal seconds = new BigDecimal(text);
            if (seconds.signum() >= 0 && seconds.compareTo(LONGEST_SECONDS) <= 0) {
                return Duration.ofMillis(seconds.movePointRight(3).longValue());
            }
        } catch (NumberFormatException notANumber) {
            // Said below, together with numbers out of range.
        }
        throw new InvalidRequest(settings.nameOf(DELAY) + ": '" + text + "' is not a number of seconds from 0 to "
                + LONGEST_SECONDS + "; leave it out for no delay.");
    }
}
