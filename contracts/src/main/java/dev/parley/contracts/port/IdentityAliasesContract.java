package dev.parley.contracts.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parley.application.port.IdentityAliases;
import dev.parley.contracts.level.ContractReport;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.NoSilencedTests;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link IdentityAliases}. */
@ExtendWith({NoSilencedTests.class, ContractReport.class})
public interface IdentityAliasesContract {
    /** Returns a look-up that knows that {@code left} is mapped to {@code right}, and nothing else. */
    IdentityAliases knowing(String left, String right);

    /** Makes what {@link #knowing} has stored unreadable; returns false where that cannot be done. */
    boolean damage();

    @Core
    default void anUnknownIdentifierHasNoAliases() {
        assertThat(knowing("4915112345678", "999888777").aliasesOf("123")).isEmpty();
    }

    @Core
    default void aMappingIsFoundFromBothSides() {
        IdentityAliases aliases = knowing("4915112345678", "999888777");

        assertThat(aliases.aliasesOf("4915112345678")).as("K5.17").containsExactly("999888777");
        assertThat(aliases.aliasesOf("999888777")).as("K5.17").containsExactly("4915112345678");
    }

    @Core
    default void noIdentifierFails() {
        IdentityAliases aliases = knowing("4915112345678", "999888777");

        for (String identifier :
                List.of("", " ", "../../etc/passwd", "/", "a\u0000b", "日本 🚀", "x".repeat(5000), "*", "a\nb")) {
            assertThatCode(() -> assertThat(aliases.aliasesOf(identifier)).isEmpty())
                    .as("«%s»", identifier)
                    .doesNotThrowAnyException();
        }
    }

    @Core
    default void mappingsThatCannotBeReadCountAsNone() {
        IdentityAliases aliases = knowing("4915112345678", "999888777");
        assumeTrue(damage(), "These mappings cannot be damaged.");

        assertThat(aliases.aliasesOf("4915112345678")).isEmpty();
    }
}
