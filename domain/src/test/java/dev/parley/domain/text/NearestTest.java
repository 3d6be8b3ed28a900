package dev.parley.domain.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
    private static final List<String> KNOWN =
            List.of("idle", "idle_minutes", "at_hour", "line", "irc", "sms", "notifyUser");

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "idel_minutes,   idle_minutes", // two replaced
                "idle_minute,    idle_minutes", // one missing
                "xidle_minutesx, idle_minutes", // one more at each end
                "idle_xxxxutes,  idle_minutes", // four of twelve: just near enough
                "idle_xxxxxtes,  -", // five of twelve
                "AT_HOUR,        at_hour",
                "'  at_hour ',   at_hour",
                "notifyuser,     notifyUser",
                "ix,             -", // too short for more than one
                "ir,             irc",
                "lidle,          idle", // nearer than line
                "ims,            sms", // as near as irc would be with two: only one is allowed
                "'',             -",
                "zzzzzzzz,       -",
            })
    void theNearestKnownNameIsFound(String wanted, @Nullable String nearest) {
        assertThat(Nearest.to(wanted, KNOWN)).isEqualTo(Optional.ofNullable(nearest));
    }

    @ParameterizedTest
    @CsvSource({"cat,bat", "hat,bat"})
    void amongEquallyNearNamesTheFirstInOrderIsFound(String wanted, String nearest) {
        assertThat(Nearest.to(wanted, List.of("rat", "bat", "mat"))).contains(nearest);
    }
}
