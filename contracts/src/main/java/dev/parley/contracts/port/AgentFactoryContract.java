package dev.parley.contracts.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import dev.parley.contracts.level.ContractReport;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.NoSilencedTests;
import dev.parley.domain.session.ModelOverride;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link AgentFactory}. */
@ExtendWith({NoSilencedTests.class, ContractReport.class})
public interface AgentFactoryContract {
    /** Returns the factory; the same one during a test. */
    AgentFactory factory();

    /** Returns whether prompt and model decide what an agent is; false where all agents of the factory are alike. */
    default boolean isBuiltFromItsSpecification() {
        return true;
    }

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
        for (AgentSpec other : List.of(AgentContract.spec("Be verbose."), overriding(spec, "another-model"))) {
            assertThat(factory().signature(other).equals(factory().signature(spec)))
                    .as("A11.3: used again for %s", other)
                    .isNotEqualTo(isBuiltFromItsSpecification());
        }
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
