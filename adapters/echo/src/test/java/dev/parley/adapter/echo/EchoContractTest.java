package dev.parley.adapter.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.AgentFactory;
import dev.parley.contracts.port.AgentContract;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The echo agent keeps the contract of agents; it uses no tools and never fails. */
class EchoContractTest implements AgentContract {
    private final Surroundings surroundings = new Surroundings();
    private Duration delay = Duration.ZERO;

    @Override
    public AgentFactory factory() {
        return new EchoFactory(surroundings.settings(Map.of()), delay);
    }

    @Override
    public boolean isBuiltFromItsSpecification() {
        return false;
    }

    @Override
    public boolean prepare(Behaviour behaviour) {
        delay = behaviour == Behaviour.HANG ? Duration.ofHours(1) : Duration.ZERO;
        return behaviour == Behaviour.ANSWER || behaviour == Behaviour.HANG;
    }

    @Override
    public void workUntil(BooleanSupplier condition) {
        surroundings.advance(Duration.ofMinutes(1));
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
