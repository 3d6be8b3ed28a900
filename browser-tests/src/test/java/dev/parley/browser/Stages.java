package dev.parley.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the browser and the gateway, made once. Without a browser the tests are left out with a line that says so, and fail
 * where {@code TEST_BROWSER} is {@code required}; {@code off} leaves them out though there is one.
 */
final class Stages implements ExecutionCondition, ParameterResolver, BeforeEachCallback {
    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(Stages.class);
    private static final String LEFT_OUT =
            "BROWSER TESTS LEFT OUT: no chromium and chromedriver; apt-get install chromium chromium-driver";

    /** What is closed when all tests are over. */
    private record Shared(Stage stage) implements AutoCloseable {
        static Shared make() {
            try {
                Path home = Files.createTempDirectory("parley-browser");
                Demo demo = new Demo(Instant.now());
                LiveGateway gateway = LiveGateway.after(home, demo.configuration(), demo.scenario());
                return new Shared(new Stage(new Browser(), gateway));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() throws IOException {
            stage.browser().close();
            stage.gateway().close();
            try (Stream<Path> files = Files.walk(stage.gateway().home())) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String wanted = String.valueOf(System.getenv("TEST_BROWSER"));
        boolean there =
                Browser.chromium().isPresent() && Browser.driverProgram().isPresent();
        if (wanted.equals("required") && !there) {
            throw new IllegalStateException("TEST_BROWSER is required and there is no chromium with chromedriver.");
        }
        if (wanted.equals("off") || !there) {
            boolean first = context.getRoot()
                            .getStore(SPACE)
                            .getOrComputeIfAbsent("told", key -> List.of("new"), List.class)
                            .size()
                    == 1;
            if (first) {
                context.getRoot().getStore(SPACE).put("told", List.of());
                System.out.println(LEFT_OUT);
            }
            return ConditionEvaluationResult.disabled(LEFT_OUT);
        }
        return ConditionEvaluationResult.enabled("there is a browser");
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        Browser browser = stage(context).browser();
        browser.forget();
        browser.look(Form.LIGHT);
        List<String> old = browser.complaints();
        context.publishReportEntry("complaints before", String.valueOf(old.size()));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Stage.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return stage(context);
    }

    private static Stage stage(ExtensionContext context) {
        return context.getRoot()
                .getStore(SPACE)
                .getOrComputeIfAbsent("stage", key -> Shared.make(), Shared.class)
                .stage();
    }
}
