package dev.parley.adapter.metrics;

/**
 * The names of the metrics, as Micrometer takes them. Those of the GenAI conventions of OpenTelemetry (version 1.37, status
 * development) stand together, since they are still being renamed.
 */
final class Names {
    static final String INBOUND = "parley.inbound.messages";
    static final String DROPPED = "parley.inbound.dropped";
    static final String WAIT = "parley.queue.wait";
    static final String QUEUED = "parley.queue.messages";
    static final String QUEUED_LANES = "parley.queue.lanes";
    static final String OLDEST = "parley.queue.oldest";
    static final String LANES = "parley.lanes";
    static final String RUNNING = "parley.lanes.running";
    static final String AWAITING_PLACE = "parley.lanes.awaiting.place";
    static final String TURNS = "parley.turns";
    static final String COST = "parley.cost.usd";
    static final String TRANSITIONS = "parley.transitions";
    static final String COMPRESSIONS = "parley.compressions";
    static final String ATTEMPTS = "parley.delivery.attempts";
    static final String DELIVERY = "parley.delivery.duration";
    static final String AGE = "parley.delivery.age";
    static final String PENDING = "parley.outgoing.pending";
    static final String PENDING_OLDEST = "parley.outgoing.oldest";
    static final String EXPIRED = "parley.outgoing.expired";
    static final String CONNECTED = "parley.platform.connected";
    static final String COMMIT = "parley.storage.commit.duration";
    static final String CHANGES = "parley.storage.commit.changes";
    static final String DEGRADED = "parley.storage.degraded";
    static final String DEGRADED_TIME = "parley.storage.degraded.seconds";
    static final String SPILLED = "parley.storage.waiting.batches";
    static final String HEALED_BATCHES = "parley.storage.healed.batches";
    static final String HEALED_MESSAGES = "parley.storage.healed.messages";
    static final String DISK = "parley.disk.free";
    static final String BYTES = "parley.storage";
    static final String PART = "part";
    static final String CACHED = "parley.agents.cached";
    static final String UP = "parley.up";
    static final String START = "parley.start.duration";
    static final String CUT_OFF = "parley.start.cut.off.turns";
    static final String RESUMED = "parley.start.resumed.lanes";
    static final String TROUBLES = "parley.troubles";
    static final String EVICTED = "parley.agents.evicted";
    static final String OPERATIONS = "parley.operations";
    static final String LOGIN_FAILURES = "parley.login.failures";
    static final String SCRAPE_ERRORS = "parley.scrape.errors";
    static final String EXPORTER_FAILURES = "parley.exporter.failures";
    static final String DELIVERY_FAILURES = "parley.delivery.failures";
    static final String BUILD = "parley.build.info";

    // The stable conventions of OpenTelemetry for servers of HTTP.
    static final String REQUESTS = "http.server.request.duration";
    static final String METHOD = "http.request.method";
    static final String ROUTE = "http.route";
    static final String STATUS = "http.response.status_code";

    static final String AGENT = "gen_ai.invoke_agent.duration";
    static final String FIRST_CHUNK = "gen_ai.client.operation.time_to_first_chunk";
    static final String INFERENCES = "gen_ai.invoke_agent.inference_calls";
    static final String TOOLS = "gen_ai.invoke_agent.tool_calls";
    static final String TOOL_DURATION = "gen_ai.execute_tool.duration";
    static final String TOOL = "gen_ai.tool.name";
    static final String TOKENS = "gen_ai.client.token.usage";
    static final String MODEL = "gen_ai.request.model";
    static final String PROVIDER = "gen_ai.provider.name";
    static final String TOKEN_TYPE = "gen_ai.token.type";
    static final String ERROR = "error.type";
    static final String PLATFORM = "platform";

    private Names() {}
}
