package dev.parley.contracts.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.domain.source.Platform;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The gateway's commands in the menus of platforms. */
class MenusTest {
    private final Bench bench = new Bench();
    private final Deque<RuntimeException> failures = new ArrayDeque<>();
    private final List<List<String>> menus = new ArrayList<>();

    private void start() {
        bench.dressed = platform -> new AblePlatform(platform) {
            @Override
            public void menu(List<Entry> commands) {
                if (!failures.isEmpty()) {
                    throw failures.remove();
                }
                assertThat(commands)
                        .allSatisfy(entry -> assertThat(entry.description()).isNotBlank());
                menus.add(commands.stream().map(Entry::name).toList());
            }
        };
        bench.start();
        bench.settle();
    }

    private void connectAgain() {
        bench.running().disconnected(Platform.TELEGRAM);
        bench.running().connected(Platform.TELEGRAM);
        bench.settle();
    }

    @Test
    void aPlatformThatIsAbleToSendShowsTheCommandsOnce() {
        start();
        connectAgain();

        assertThat(menus)
                .singleElement()
                .satisfies(names -> assertThat(names)
                        .contains("new", "stop", "help")
                        .doesNotHaveDuplicates()
                        .isSorted()
                        .noneMatch(name -> name.startsWith("/")));
        assertThat(bench.trouble()).isEmpty();
    }

    @Test
    void aMenuThatFailsIsToldAndShownWithTheNextConnection() {
        failures.add(new IllegalStateException("no route to the menu"));
        start();
        assertThat(menus).isEmpty();
        assertThat(bench.trouble())
                .anySatisfy(told -> assertThat(told.toString()).contains("telegram"));
        connectAgain();
        connectAgain();

        assertThat(menus).hasSize(1);
    }
}
