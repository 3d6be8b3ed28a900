package dev.parley.adapter.otlp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.key.KeyParts;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnReason;
import dev.parley.domain.turn.TurnUsage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Makes the spans of turns, with the times of what happened, and has them sent. All spans of a turn are sent or none, and which turns
 * are traced follows from their ids, so that all nodes and starts agree. Used by one thread at a time.
 */
final class SpanWriter {
    private static final String SCOPE = "dev.parley";
    private static final int LONGEST_TEXT = 32_768;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final OtlpSettings settings;
    private final HiddenIds hidden;
    private final CountedExporter exporter;
    private final PlannedIds ids = new PlannedIds();
    private final Sampler sampler;
    private final SdkTracerProvider provider;
    private final Tracer tracer;

    SpanWriter(OtlpSettings settings, HiddenIds hidden, CountedExporter exporter) {
        this.settings = settings;
        this.hidden = hidden;
        this.exporter = exporter;
        this.sampler = Sampler.traceIdRatioBased(settings.ratio());
        AttributesBuilder service = Attributes.builder();
        settings.attributes().forEach(service::put);
        service.put("service.name", settings.service());
        Optional.ofNullable(SpanWriter.class.getModule().getDescriptor())
                .flatMap(module -> module.rawVersion())
                .ifPresent(version -> service.put("service.version", version));
        this.provider = SdkTracerProvider.builder()
                .setIdGenerator(ids)
                .setSampler(Sampler.alwaysOn())
                .setResource(Resource.getDefault().merge(Resource.create(service.build())))
                .setSpanLimits(SpanLimits.builder()
                        .setMaxAttributeValueLength(LONGEST_TEXT)
                        .build())
                .addSpanProcessor(BatchSpanProcessor.builder(exporter)
                        .setMaxQueueSize(CountedExporter.MOST)
                        .setScheduleDelay(settings.delay())
                        .build())
                .build();
        this.tracer = provider.get(SCOPE);
    }

    /** Makes the spans of a turn that has ended. */
    void write(TurnTrace trace, Turn turn) {
        SpanContext first = PlannedIds.of(turn.id().value());
        Instant claimed = turn.startedAt();
        Instant from = trace.received().filter(claimed::isAfter).orElse(claimed);
        Instant ended = TurnTrace.later(from, turn.endedAt().orElse(claimed));
        boolean queued = trace.received().isPresent();
        int spans = 1
                + (queued ? 1 : 0)
                + (turn.workingSince().isPresent() ? 1 : 0)
                + trace.tools().size()
                + trace.sendings().size();
        if (!isTraced(first) || !exporter.takes(spans)) {
            return;
        }
        String platform = platform(turn.lane());
        Optional<String> error = Optional.of(turn)
                .filter(t -> t.state() == Turn.State.FAILED)
                .map(t -> t.reason().map(TurnReason::text).orElse("unknown"));
        Attributes about = about(trace, turn, platform);
        Span root = ids.as(first, () -> begin("process " + platform, SpanKind.CONSUMER, Context.root(), from, about));
        Context within = Context.root().with(root);
        if (queued) {
            finish(begin("queue", SpanKind.INTERNAL, within, from, Attributes.empty()), claimed, Optional.empty());
        }
        Context agents = turn.workingSince()
                .map(since -> {
                    Span agent = begin("invoke_agent", SpanKind.INTERNAL, within, since, agent(trace, turn));
                    turn.usage().firstWordAt().ifPresent(at -> agent.addEvent(GenAi.FIRST_WORD, at));
                    finish(agent, TurnTrace.later(since, ended), error);
                    return Context.root().with(agent);
                })
                .orElse(within);
        trace.tools().forEach(tool -> tool(tool, agents));
        trace.sendings().forEach(sending -> sending(sending, within));
        Instant last = trace.sendings().stream().map(TurnTrace.Sending::to).reduce(ended, TurnTrace::later);
        finish(root, last, error);
    }

    /** Makes the span of a sending that became known after the spans of its turn were made, or whose turn is another process's. */
    void writeLate(String turn, TurnTrace.Sending sending) {
        SpanContext first = PlannedIds.of(turn);
        if (isTraced(first) && exporter.takes(1)) {
            sending(sending, Context.root().with(Span.wrap(first)));
        }
    }

    private boolean isTraced(SpanContext first) {
        return sampler.shouldSample(
                                Context.root(),
                                first.getTraceId(),
                                "",
                                SpanKind.CONSUMER,
                                Attributes.empty(),
                                List.of())
                        .getDecision()
                == SamplingDecision.RECORD_AND_SAMPLE;
    }

    private Attributes about(TurnTrace trace, Turn turn, String platform) {
        AttributesBuilder about = Attributes.builder()
                .put(GenAi.SYSTEM, platform)
                .put(GenAi.MESSAGING, "process")
                .put(GenAi.CONVERSATION, turn.session().value())
                .put(GenAi.TURN, turn.id().value())
                .put(GenAi.STATE, turn.state().text())
                .put(GenAi.RESUMED, trace.resumed())
                .put(GenAi.MESSAGES, (long) trace.messages());
        lane(about, turn.lane());
        turn.reason().ifPresent(reason -> about.put(GenAi.REASON, reason.text()));
        if (turn.state() == Turn.State.COMPLETED) {
            about.put(GenAi.DELIVERY, word(trace.delivery()));
        }
        return about.build();
    }

    private void lane(AttributesBuilder about, SessionKey lane) {
        if (settings.plainIds()) {
            about.put(GenAi.LANE, lane.value());
        } else {
            about.put(GenAi.LANE_HASH, hidden.hidden(lane.value()));
        }
    }

    private static String word(Outgoing.State state) {
        return state.isOpen() ? Outgoing.State.PENDING.text() : state.text();
    }

    private static Attributes agent(TurnTrace trace, Turn turn) {
        TurnUsage usage = turn.usage();
        AttributesBuilder about = Attributes.builder()
                .put(GenAi.OPERATION, "invoke_agent")
                .put(GenAi.CONVERSATION, turn.session().value())
                .put(GenAi.MODEL_CALLS, usage.apiCalls())
                .put(GenAi.TOOL_CALLS, usage.toolCalls());
        usage.provider().ifPresent(name -> about.put(GenAi.PROVIDER, name));
        usage.model().ifPresent(name -> about.put(GenAi.MODEL, name));
        usage.costUsd().ifPresent(usd -> about.put(GenAi.COST, usd));
        used(about, GenAi.INPUT_TOKENS, usage.tokens().input());
        used(about, GenAi.OUTPUT_TOKENS, usage.tokens().output());
        used(about, GenAi.CACHE_READ, usage.tokens().cacheRead());
        used(about, GenAi.CACHE_WRITE, usage.tokens().cacheWrite());
        used(about, GenAi.REASONING, usage.tokens().reasoning());
        spoken(about, GenAi.INPUT, "user", trace.said());
        spoken(about, GenAi.OUTPUT, "assistant", trace.answers());
        return about.build();
    }

    private static void used(AttributesBuilder about, AttributeKey<Long> name, long tokens) {
        if (tokens > 0) {
            about.put(name, tokens);
        }
    }

    /** Texts as the conventions have them; there are none unless they were asked for. */
    private static void spoken(AttributesBuilder about, AttributeKey<String> name, String role, List<String> texts) {
        if (texts.isEmpty()) {
            return;
        }
        List<Object> messages = new ArrayList<>();
        texts.forEach(
                text -> messages.add(Map.of("role", role, "parts", List.of(Map.of("type", "text", "content", text)))));
        try {
            about.put(name, JSON.writeValueAsString(messages));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Lists of texts can be written as JSON", e);
        }
    }

    private void tool(TurnTrace.Tool tool, Context within) {
        Attributes about =
                Attributes.of(GenAi.OPERATION, "execute_tool", GenAi.TOOL, tool.name(), GenAi.CALL, tool.call());
        finish(
                begin("execute_tool " + tool.name(), SpanKind.INTERNAL, within, tool.from(), about),
                tool.to(),
                Optional.empty());
    }

    private void sending(TurnTrace.Sending sending, Context within) {
        AttributesBuilder about = Attributes.builder()
                .put(GenAi.SYSTEM, sending.platform())
                .put(GenAi.MESSAGING, "send")
                .put(GenAi.KIND, sending.kind().text())
                .put(GenAi.ATTEMPT, (long) sending.attempt());
        if (settings.plainIds()) {
            about.put(GenAi.DESTINATION, sending.chat());
        }
        finish(
                begin("send " + sending.platform(), SpanKind.PRODUCER, within, sending.from(), about.build()),
                sending.to(),
                sending.error());
    }

    private Span begin(String name, SpanKind kind, Context within, Instant from, Attributes about) {
        return tracer.spanBuilder(name)
                .setParent(within)
                .setSpanKind(kind)
                .setStartTimestamp(from)
                .setAllAttributes(about)
                .startSpan();
    }

    private static void finish(Span span, Instant at, Optional<String> error) {
        error.ifPresent(why -> span.setAttribute(GenAi.ERROR, why).setStatus(StatusCode.ERROR));
        span.end(at);
    }

    private static String platform(SessionKey lane) {
        return KeyParts.parse(lane).map(parts -> parts.platform().name()).orElse("none");
    }

    /** Sends what waits, for so long at most, and ends. */
    void close(Duration atMost) {
        provider.shutdown().join(atMost.toMillis(), TimeUnit.MILLISECONDS);
        exporter.end();
    }
}
