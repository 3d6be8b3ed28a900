package dev.parley.contracts.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Authorization;
import dev.parley.contracts.level.ContractReport;
import dev.parley.contracts.level.NoSilencedTests;
import dev.parley.contracts.level.Privacy;
import dev.parley.domain.source.SessionSource;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link Authorization}. */
@ExtendWith({NoSilencedTests.class, ContractReport.class})
public interface AuthorizationContract {
    /** Returns an authorization that knows the three sources below. */
    Authorization authorization();

    /** Returns somebody who may talk and is no admin. */
    SessionSource allowed();

    /** Returns somebody who may not talk. */
    SessionSource refused();

    /** Returns an admin. */
    SessionSource admin();

    @Privacy
    default void onlyWhoIsAllowedMayTalk() {
        assertThat(authorization().mayTalk(allowed())).isTrue();
        assertThat(authorization().mayTalk(admin())).isTrue();
        assertThat(authorization().mayTalk(refused())).isFalse();
    }

    @Privacy
    default void onlyAdminsAreAdmins() {
        assertThat(authorization().isAdmin(admin())).isTrue();
        assertThat(authorization().isAdmin(allowed())).isFalse();
        assertThat(authorization().isAdmin(refused())).isFalse();
    }

    @Privacy
    default void aNameGivesNoRight() {
        SessionSource pretender = refused().toBuilder()
                .userName(admin().userName().orElse("the admin"))
                .chatName(admin().chatName().orElse("the admins' chat"))
                .build();

        assertThat(authorization().mayTalk(pretender)).isFalse();
        assertThat(authorization().isAdmin(pretender)).isFalse();
    }

    @Privacy
    default void anUnknownAuthorIsNoAdmin() {
        assertThat(authorization()
                        .isAdmin(
                                admin().toBuilder().userId(null).userIdAlt(null).build()))
                .isFalse();
    }
}
