package dev.parley.adapter.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where traces go, by settings and by the standard variables. */
class OtlpSettingsTest {
    @TempDir
    private Path home;

    private Observed nothing() {
        return new Observed(home);
    }

    private static Optional<OtlpSettings> read(Observed observed) {
        return OtlpSettings.read(observed.settings());
    }

    @Test
    void noTraceIsMadeUnlessACollectorIsNamed() throws IOException {
        assertThat(nothing().made()).isEmpty();
        assertThat(nothing().with("enabled", "true").made()).isEmpty();
        try (Stream<Path> files = Files.list(home)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void whatIsMadeOpensNothingBeforeItIsStarted() throws IOException {
        assertThat(nothing().to("http://127.0.0.1:4318").made()).isPresent();
        try (Stream<Path> files = Files.list(home)) {
            assertThat(files).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:4318, http://127.0.0.1:4318/v1/traces",
        "http://127.0.0.1:4318/, http://127.0.0.1:4318/v1/traces",
        "https://collector.example/otlp, https://collector.example/otlp/v1/traces",
        "http://127.0.0.1:4318/v1/traces, http://127.0.0.1:4318/v1/traces"
    })
    void theAddressOfACollectorIsCompletedByThePathOfTraces(String written, String used) {
        assertThat(read(nothing().to(written)).orElseThrow().endpoint()).isEqualTo(URI.create(used));
        assertThat(read(nothing().where("OTEL_EXPORTER_OTLP_ENDPOINT", written))
                        .orElseThrow()
                        .endpoint())
                .isEqualTo(URI.create(used));
    }

    @Test
    void theVariableOfTracesIsTakenAsItIsAndGoesBeforeTheGeneralOne() {
        assertThat(read(nothing()
                                .where("OTEL_EXPORTER_OTLP_ENDPOINT", "http://general:4318")
                                .where("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://traces:9/own"))
                        .orElseThrow()
                        .endpoint())
                .isEqualTo(URI.create("http://traces:9/own"));
    }

    @Test
    void aSettingGoesBeforeTheVariablesOfTheMachine() {
        OtlpSettings settings = read(nothing()
                        .where("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://machine:4318/v1/traces")
                        .where("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
                        .where("OTEL_SERVICE_NAME", "machine")
                        .where("OTEL_TRACES_SAMPLER", "always_off")
                        .to("http://own:4318")
                        .with("service_name", "own")
                        .with("ratio", "0.25"))
                .orElseThrow();

        assertThat(settings.endpoint().getHost()).isEqualTo("own");
        assertThat(settings.service()).isEqualTo("own");
        assertThat(settings.ratio()).isEqualTo(0.25);
    }

    @ParameterizedTest
    @CsvSource({
        "always_on, , 1",
        "always_off, , 0",
        "parentbased_always_off, , 0",
        "traceidratio, 0.1, 0.1",
        "parentbased_traceidratio, , 1",
        "xray, , 1"
    })
    void theStandardSamplersAreKnown(String sampler, String argument, double ratio) {
        Observed observed = nothing().to("http://c:4318").where("OTEL_TRACES_SAMPLER", sampler);
        Optional.ofNullable(argument).ifPresent(text -> observed.where("OTEL_TRACES_SAMPLER_ARG", text));

        assertThat(read(observed).orElseThrow().ratio()).isEqualTo(ratio);
    }

    @ParameterizedTest
    @CsvSource({"OTEL_SDK_DISABLED, true", "OTEL_TRACES_EXPORTER, none"})
    void theStandardWaysToSwitchTracesOffAreKnown(String variable, String value) {
        assertThat(read(nothing().to("http://c:4318").where(variable, value))).isEmpty();
    }

    @Test
    void tracesAreSwitchedOffWhereAVariableOfTheMachineNamesACollector() {
        assertThat(read(nothing()
                        .where("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4318")
                        .with("enabled", "false")))
                .isEmpty();
    }

    @Test
    void aProtocolThatIsNotSpokenIsWarnedOfAndStopsNoStart() {
        Observed observed = nothing()
                .where("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4317")
                .where("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc");

        assertThat(read(observed)).isEmpty();
        assertThat(observed.warnings).singleElement().asString().contains("grpc", "observers.otlp.endpoint");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "collector:4318",
                "ftp://collector",
                "http://",
                "http://user:s3cret@collector:4318",
                "http://collector:4318/?key=s3cret",
                "http://colle ctor"
            })
    void anAddressThatIsNoneIsToldWithItsSettingAndNotRepeated(String address) {
        assertThatThrownBy(() -> nothing().to(address).made())
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("observers.otlp.endpoint")
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() ->
                        nothing().where("OTEL_EXPORTER_OTLP_ENDPOINT", address).made())
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("OTEL_EXPORTER_OTLP_ENDPOINT")
                .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @CsvSource({
        "enabled, perhaps",
        "ids, none",
        "content, some",
        "ratio, 2",
        "ratio, half",
        "trace_url, https://traces.example/",
        "trace_url, javascript:{trace}",
        "trace_url, https://me:s3cret@traces.example/{trace}"
    })
    void aSettingThatCannotBeReadIsToldAlsoWhereTracesAreOff(String setting, String value) {
        assertThatThrownBy(() -> nothing().with(setting, value).made())
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("observers.otlp." + setting)
                .hasMessageContaining("write")
                .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @CsvSource({
        "OTEL_EXPORTER_OTLP_HEADERS, s3cret",
        "OTEL_EXPORTER_OTLP_HEADERS, a=%s3cret",
        "OTEL_EXPORTER_OTLP_TIMEOUT, soon",
        "OTEL_BSP_SCHEDULE_DELAY, soon"
    })
    void aVariableThatCannotBeReadIsToldWithoutSecrets(String variable, String value) {
        assertThatThrownBy(() ->
                        nothing().to("http://c:4318").where(variable, value).made())
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining(variable)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void aKeyThatIsNoneStopsTheStartAndSaysWhatToDo() throws IOException {
        Files.writeString(home.resolve(HiddenIds.FILE), "short\n");

        assertThatThrownBy(() -> nothing().to("http://127.0.0.1:4318").started())
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining(HiddenIds.FILE)
                .hasMessageContaining("delete it");
    }
}
