package dev.parley.contracts.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.NoSilencedTests;
import dev.parley.domain.session.ModelOverride;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link AgentFactory}. */
@ExtendWith(NoSilencedTests.class)
public interface AgentFactoryContract {
    /** Returns the factory; the same one during a test. */
    AgentFactory factory();

    private static AgentSpec overriding(AgentSpec spec, String model) {
        return new AgentSpec(
                spec.lane(),
                spec.session(),
                spec.source(),
                spec.prompt(),
                Optional.of(new ModelOverride(Optional.of(model), Optional.empty(), Optional.empty())));
    }

    @Core
    default void whatAnAgentIsBuiltFromDecidesItsSignature() {
        AgentSpec spec = AgentContract.spec("Be brief.");

        assertThat(factory().signature(AgentContract.spec("Be brief.")))
                .as("A11.3")
                .isEqualTo(factory().signature(spec));
        assertThat(factory().signature(AgentContract.spec("Be verbose.")))
                .isNotEqualTo(factory().signature(spec));
        assertThat(factory().signature(overriding(spec, "another-model")))
                .isNotEqualTo(factory().signature(spec));
    }

    @Core
    default void aModelHasANameAndASize() {
        AgentSpec spec = AgentContract.spec("Be brief.");

        assertThat(factory().model(spec)).isNotBlank();
        assertThat(factory().contextLength(spec)).isNotNegative();
    }

    @Core
    default void everyCallMakesAnAgentOfItsOwn() {
        try (Agent first = factory().create(AgentContract.spec("Be brief."));
                Agent second = factory().create(AgentContract.spec("Be brief."))) {
            assertThat(first).isNotSameAs(second);
        }
    }
}
