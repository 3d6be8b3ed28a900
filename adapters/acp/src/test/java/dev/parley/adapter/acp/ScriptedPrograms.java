package dev.parley.adapter.acp;

import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Ids;
import dev.parley.application.port.MediaStore;
import dev.parley.application.spi.ProviderSettings;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Agents that are scripted programs, and what those have heard. */
final class ScriptedPrograms implements AutoCloseable {
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final Path home;
    private final Path script;

    /** Whether the patience with a program that does not obey is over at once. */
    boolean hurried;

    /** What operators were told. */
    final List<String> warnings = new CopyOnWriteArrayList<>();

    /** Tells operators. */
    Consumer<String> operator = warnings::add;

    /** Where files are kept that programs say. */
    MediaStore media = MediaStore.NONE;

    ScriptedPrograms(Path home) {
        this.home = home;
        this.script = home.resolve("script");
        doing("answer");
    }

    ScriptedPrograms doing(String what) {
        try {
            Files.writeString(script, what);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<String> heard() {
        try {
            Path heard = home.resolve("heard");
            return Files.exists(heard) ? Files.readAllLines(heard) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String command() {
        String path = Stream.of(
                        System.getProperty("java.class.path", ""),
                        System.getProperty("jdk.module.path", ""),
                        Path.of("target", "test-classes").toAbsolutePath().toString())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
        return "\"" + Path.of(System.getProperty("java.home"), "bin", "java") + "\" -XX:TieredStopAtLevel=1 -cp \""
                + path + "\" " + ScriptedProgram.class.getName() + " '" + script + "'";
    }

    AgentFactory factory(Map<String, String> more) {
        return new AcpProvider().create(settings(more));
    }

    ProviderSettings settings(Map<String, String> more) {
        return ProviderSettings.builder("agents.acp", home)
                .value("command", command())
                .values(more)
                .clock(InstantSource.system())
                .ids(unneeded(Ids.class))
                .timers((delay, task) -> {
                    if (hurried && delay.compareTo(Duration.ZERO) > 0) {
                        executor.execute(task);
                    }
                    return () -> {};
                })
                .executor(executor)
                .media(media)
                .warnings(operator)
                .inspection(unneeded(GatewayInspection.class))
                .build();
    }

    private static <T> T unneeded(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
                    throw new AssertionError("not asked for here: " + method);
                }));
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
