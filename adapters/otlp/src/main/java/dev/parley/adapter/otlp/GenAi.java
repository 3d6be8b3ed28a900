package dev.parley.adapter.otlp;

import io.opentelemetry.api.common.AttributeKey;

/**
 * The names of what spans tell. Those of the GenAI conventions of OpenTelemetry (version 1.37, status development) and of its
 * conventions for messaging stand together here, since they are still being renamed; all others are Parley's own.
 */
final class GenAi {
    static final AttributeKey<String> OPERATION = AttributeKey.stringKey("gen_ai.operation.name");
    static final AttributeKey<String> PROVIDER = AttributeKey.stringKey("gen_ai.provider.name");
    static final AttributeKey<String> MODEL = AttributeKey.stringKey("gen_ai.request.model");
    static final AttributeKey<String> CONVERSATION = AttributeKey.stringKey("gen_ai.conversation.id");
    static final AttributeKey<Long> INPUT_TOKENS = AttributeKey.longKey("gen_ai.usage.input_tokens");
    static final AttributeKey<Long> OUTPUT_TOKENS = AttributeKey.longKey("gen_ai.usage.output_tokens");
    static final AttributeKey<Long> CACHE_READ = AttributeKey.longKey("gen_ai.usage.cache_read.input_tokens");
    static final AttributeKey<Long> CACHE_WRITE = AttributeKey.longKey("gen_ai.usage.cache_creation.input_tokens");
    static final AttributeKey<Long> REASONING = AttributeKey.longKey("gen_ai.usage.reasoning.output_tokens");
    static final AttributeKey<String> INPUT = AttributeKey.stringKey("gen_ai.input.messages");
    static final AttributeKey<String> OUTPUT = AttributeKey.stringKey("gen_ai.output.messages");
    static final AttributeKey<String> TOOL = AttributeKey.stringKey("gen_ai.tool.name");
    static final AttributeKey<String> CALL = AttributeKey.stringKey("gen_ai.tool.call.id");
    static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");

    static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
    static final AttributeKey<String> MESSAGING = AttributeKey.stringKey("messaging.operation.type");
    static final AttributeKey<String> DESTINATION = AttributeKey.stringKey("messaging.destination.name");
    static final AttributeKey<Long> MESSAGES = AttributeKey.longKey("messaging.batch.message_count");

    static final AttributeKey<String> LANE = AttributeKey.stringKey("parley.lane");
    static final AttributeKey<String> LANE_HASH = AttributeKey.stringKey("parley.lane.hash");
    static final AttributeKey<String> TURN = AttributeKey.stringKey("parley.turn.id");
    static final AttributeKey<String> STATE = AttributeKey.stringKey("parley.turn.state");
    static final AttributeKey<String> REASON = AttributeKey.stringKey("parley.turn.reason");
    static final AttributeKey<Boolean> RESUMED = AttributeKey.booleanKey("parley.turn.resumed");
    static final AttributeKey<String> DELIVERY = AttributeKey.stringKey("parley.delivery.state");
    static final AttributeKey<String> KIND = AttributeKey.stringKey("parley.outgoing.kind");
    static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("parley.delivery.attempt");
    static final AttributeKey<Long> MODEL_CALLS = AttributeKey.longKey("parley.model.calls");
    static final AttributeKey<Long> TOOL_CALLS = AttributeKey.longKey("parley.tool.calls");
    static final AttributeKey<Double> COST = AttributeKey.doubleKey("parley.cost.usd");

    /** The first piece of the answer came, as an event of the agent's span. */
    static final String FIRST_WORD = "parley.first_word";

    private GenAi() {}
}
