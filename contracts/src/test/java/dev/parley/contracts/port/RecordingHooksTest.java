package dev.parley.contracts.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.LifecycleHooks;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.testing.RecordingHooks;
import org.junit.jupiter.api.Test;

class RecordingHooksTest implements LifecycleHooksContract {
    @Override
    public LifecycleHooks hooks() {
        return new RecordingHooks();
    }

    @Test
    void callsAreRecordedAlsoWhereTheyFail() {
        RecordingHooks hooks = new RecordingHooks();
        SessionKey lane = SessionKey.of("agent:main:telegram:dm:1");
        hooks.failNext(1);

        assertThatThrownBy(() -> hooks.sessionStarted(lane, SessionId.of("s")))
                .isInstanceOf(IllegalStateException.class);
        hooks.sessionReset(lane, SessionId.of("s"));

        assertThat(hooks.calls()).containsExactly("started s", "reset s");
    }
}
