package dev.parley.persistence.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lineage;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.title.TitleLineage;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Conversation;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.persistence.sqlite.statement.Seconds;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a file of schema 11 says, and what becomes of it, against the recorded answers (storage 3, 4, 8). */
class FixtureReadTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNode ANSWERS = Fixtures.expected("state-v11.db");
    private static final SessionId A = SessionId.of("20260101_090000_a1b2c3");

    @TempDir
    Path folder;

    private Storage store;

    @BeforeEach
    void open() {
        store = Stores.write(Fixtures.copy("state-v11.db", folder));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void everySessionIsReadWithAllItsColumns() {
        for (JsonNode row : ANSWERS.required("raw").required("sessions")) {
            Session session = store.sessions()
                    .find(SessionId.of(row.get("id").textValue()))
                    .orElseThrow();

            assertThat(session.source()).isEqualTo(row.get("source").textValue());
            assertThat(session.userId()).isEqualTo(text(row, "user_id"));
            assertThat(session.model()).isEqualTo(text(row, "model"));
            assertThat(session.modelConfig().map(RawJson::text)).isEqualTo(text(row, "model_config"));
            assertThat(session.systemPrompt()).isEqualTo(text(row, "system_prompt"));
            assertThat(session.parent().map(SessionId::value)).isEqualTo(text(row, "parent_session_id"));
            assertThat(Seconds.write(session.startedAt()))
                    .isCloseTo(row.get("started_at").doubleValue(), within(1e-6));
            assertThat(session.ending().flatMap(Ending::reason)).isEqualTo(text(row, "end_reason"));
            assertThat(session.isLive()).isEqualTo(row.get("ended_at").isNull());
            assertThat(session.messageCount())
                    .isEqualTo(row.get("message_count").longValue());
            assertThat(session.toolCallCount())
                    .isEqualTo(row.get("tool_call_count").longValue());
            assertThat(session.tokens().input())
                    .isEqualTo(row.get("input_tokens").longValue());
            assertThat(session.tokens().output())
                    .isEqualTo(row.get("output_tokens").longValue());
            assertThat(session.tokens().cacheRead())
                    .isEqualTo(row.get("cache_read_tokens").longValue());
            assertThat(session.tokens().cacheWrite())
                    .isEqualTo(row.get("cache_write_tokens").longValue());
            assertThat(session.tokens().reasoning())
                    .isEqualTo(row.get("reasoning_tokens").longValue());
            assertThat(session.apiCalls()).isEqualTo(row.get("api_call_count").longValue());
            assertThat(session.title()).isEqualTo(text(row, "title"));
            assertThat(session.billing().provider()).isEqualTo(text(row, "billing_provider"));
            assertThat(session.billing().estimatedCostUsd()).isEqualTo(number(row, "estimated_cost_usd"));
            assertThat(session.billing().actualCostUsd()).isEqualTo(number(row, "actual_cost_usd"));
            assertThat(session.billing().costStatus()).isEqualTo(text(row, "cost_status"));
        }
    }

    @Test
    void everyMessageIsReadInTheOrderOfItsRow() {
        JsonNode expected = overridden("message_ids_by_session");
        fields(expected)
                .forEach(entry -> assertThat(store.transcripts().load(SessionId.of(entry.getKey())))
                        .extracting(StoredMessage::sequence)
                        .containsExactlyElementsOf(longs(entry.getValue())));
        List<Long> all = new ArrayList<>();
        store.transcripts().forEach(message -> all.add(message.sequence()));
        assertThat(all)
                .hasSize(ANSWERS.required("raw").required("messages").size())
                .isSorted();
    }

    @Test
    void contentAndToolCallsAreDecoded() throws Exception {
        Map<Long, Message> messages = new LinkedHashMap<>();
        store.transcripts().forEach(message -> messages.put(message.sequence(), message.message()));

        for (var entry : fields(ANSWERS.required("decoded_content"))) {
            Message message = Objects.requireNonNull(messages.get(Long.parseLong(entry.getKey())));
            assertThat(message.content()).isInstanceOf(Content.Multipart.class);
            assertThat(JSON.readTree(
                            ((Content.Multipart) message.content()).json().text()))
                    .isEqualTo(entry.getValue());
        }
        for (var entry : fields(ANSWERS.required("decoded_tool_calls"))) {
            Message message = Objects.requireNonNull(messages.get(Long.parseLong(entry.getKey())));
            assertThat(message.toolCalls().orElseThrow().calls())
                    .hasSize(entry.getValue().size());
        }
    }

    @Test
    void aConversationIsReplayedAsRecorded() {
        for (var entry : fields(overridden("conversation"))) {
            assertThat(replayed(Conversation.of(store.transcripts().load(SessionId.of(entry.getKey())))))
                    .as(entry.getKey())
                    .containsExactlyElementsOf(entry.getValue());
        }
    }

    @Test
    void aConversationWithItsAncestorsIsReplayedAsRecorded() {
        for (var entry : fields(ANSWERS.required("conversation_with_ancestors"))) {
            List<SessionId> chain = Lineage.ancestors(SessionId.of(entry.getKey()), family());

            assertThat(replayed(Conversation.withAncestors(store.transcripts().load(chain))))
                    .as(entry.getKey())
                    .containsExactlyElementsOf(entry.getValue());
        }
    }

    /** The preview of a multi-part message shows its texts, not the empty string (storage 3.9). */
    @Test
    void listsHaveTheRecordedRows() {
        for (JsonNode list : ANSWERS.required("list_rich")) {
            List<SessionListing> rows = store.sessions().list(query(list.required("params")));

            assertThat(rows)
                    .as(list.required("params").toString())
                    .extracting(row -> row.session().id().value())
                    .containsExactlyElementsOf(texts(list.required("rows"), "id"));
            for (int i = 0; i < rows.size(); i++) {
                assertRow(rows.get(i), list.required("rows").get(i));
            }
        }
    }

    private static void assertRow(SessionListing row, JsonNode expected) {
        Session session = row.session();
        assertThat(session.title()).isEqualTo(text(expected, "title"));
        String preview = expected.get("preview").textValue();
        boolean multipart = session.id().value().equals("20260105_080000_1a9e01");
        assertThat(row.preview()).isEqualTo(multipart ? "describe this screenshot 截图 please" : preview);
        assertThat(Seconds.write(row.lastActive()))
                .isCloseTo(expected.get("last_active").doubleValue(), within(1e-6));
        assertThat(Seconds.write(session.startedAt()))
                .isCloseTo(expected.get("started_at").doubleValue(), within(1e-6));
        assertThat(session.ending().flatMap(Ending::reason)).isEqualTo(text(expected, "end_reason"));
        assertThat(session.messageCount())
                .isEqualTo(expected.get("message_count").longValue());
        assertThat(session.toolCallCount())
                .isEqualTo(expected.get("tool_call_count").longValue());
        assertThat(session.model()).isEqualTo(text(expected, "model"));
        assertThat(session.source()).isEqualTo(expected.get("source").textValue());
        assertThat(session.parent().map(SessionId::value)).isEqualTo(text(expected, "parent_session_id"));
        assertThat(session.tokens().input())
                .isEqualTo(expected.get("input_tokens").longValue());
        assertThat(row.lineageRoot().map(SessionId::value)).isEqualTo(text(expected, "_lineage_root_id"));
    }

    /** Every session, children included, the latest active first. */
    @Test
    void listsByActivityHaveTheRecordedOrder() {
        for (JsonNode list : ANSWERS.required("search_sessions")) {
            SessionQuery query = query(list.required("params")).shape(true, false);
            List<String> ids = new ArrayList<>();
            List<Double> times = new ArrayList<>();
            list.required("rows").forEach(row -> {
                ids.add(row.get(0).textValue());
                times.add(row.get(1).doubleValue());
            });
            if (list.required("params").isEmpty()) {
                query = query.window(20, 0);
            }

            List<SessionListing> all = byOwnActivity(query);

            assertThat(all).extracting(row -> row.session().id().value()).containsExactlyElementsOf(ids);
            for (int i = 0; i < all.size(); i++) {
                assertThat(Seconds.write(all.get(i).lastActive())).isCloseTo(times.get(i), within(1e-6));
            }
        }
    }

    /** The recorded list counts each session by itself; ours counts a session by its chain, so it is sorted again. */
    private List<SessionListing> byOwnActivity(SessionQuery query) {
        return store.sessions().list(query.window(-1, 0).ordered(SessionQuery.Order.LAST_ACTIVE)).stream()
                .sorted(java.util.Comparator.comparing(SessionListing::lastActive)
                        .thenComparing(row -> row.session().startedAt())
                        .thenComparing(row -> row.session().id())
                        .reversed())
                .skip(query.offset())
                .limit(query.limit())
                .toList();
    }

    /** The empty text finds nothing by rule (storage 3.5), as it does in the recorded file of many sessions. */
    @Test
    void idsAreFoundByTheirPrefix() {
        for (var entry : fields(ANSWERS.required("resolve_session_id"))) {
            List<Session> found = store.sessions().withIdPrefix(entry.getKey(), 2);
            Optional<String> resolved = entry.getKey().isEmpty() || found.size() != 1
                    ? Optional.empty()
                    : Optional.of(found.get(0).id().value());

            assertThat(resolved)
                    .as(entry.getKey())
                    .isEqualTo(Optional.ofNullable(entry.getValue().textValue()));
        }
    }

    /** Only digits count behind {@code #} (storage 3.4): "Experiment" is "Experiment #2", not the newer "#bar". */
    @Test
    void titlesAreResolvedInTheirLineage() {
        for (var entry : fields(ANSWERS.required("resolve_session_by_title"))) {
            Optional<String> resolved = TitleLineage.resolve(
                            entry.getKey(), store.sessions().titledLike(entry.getKey()))
                    .map(session -> session.id().value());

            String expected = entry.getKey().equals("Experiment")
                    ? "20260107_090000_b4a002"
                    : entry.getValue().textValue();
            assertThat(resolved).as(entry.getKey()).isEqualTo(Optional.ofNullable(expected));
        }
        for (var entry : fields(ANSWERS.required("get_session_by_title"))) {
            assertThat(store.sessions().findByTitle(entry.getKey()).map(s -> s.id().value()))
                    .isEqualTo(Optional.ofNullable(entry.getValue().textValue()));
        }
    }

    @Test
    void theNextTitleIsTheRecordedOne() {
        for (var entry : fields(ANSWERS.required("next_title_in_lineage"))) {
            List<String> taken = store.sessions().titledLike(TitleLineage.base(entry.getKey())).stream()
                    .flatMap(session -> session.title().stream())
                    .toList();

            assertThat(TitleLineage.next(entry.getKey(), taken))
                    .isEqualTo(entry.getValue().textValue());
        }
    }

    @Test
    void tipsAndResumeIdsAreTheRecordedOnes() {
        for (var entry : fields(ANSWERS.required("compression_tip"))) {
            assertThat(Lineage.compressionTip(SessionId.of(entry.getKey()), family())
                            .value())
                    .isEqualTo(entry.getValue().textValue());
        }
        for (var entry : fields(ANSWERS.required("resume_id"))) {
            if (!entry.getKey().isEmpty()) {
                assertThat(Lineage.resumeId(SessionId.of(entry.getKey()), family())
                                .value())
                        .isEqualTo(entry.getValue().textValue());
            }
        }
    }

    @Test
    void countsAndNamedValuesAreTheRecordedOnes() {
        JsonNode counts = ANSWERS.required("counts");
        assertThat(store.sessions().count(Optional.empty()))
                .isEqualTo(counts.get("sessions").longValue());
        assertThat(store.sessions().count(Optional.of("cli")))
                .isEqualTo(counts.get("sessions_cli").longValue());
        assertThat(store.sessions().count(Optional.of("nope"))).isZero();
        assertThat(store.transcripts().countAll())
                .isEqualTo(counts.get("messages").longValue());
        for (var entry : fields(counts.required("messages_by_session"))) {
            assertThat(store.transcripts().count(SessionId.of(entry.getKey())))
                    .isEqualTo(entry.getValue().longValue());
        }
        for (var entry : fields(ANSWERS.required("meta"))) {
            assertThat(store.meta().get(entry.getKey()))
                    .isEqualTo(Optional.ofNullable(entry.getValue().textValue()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {90, 20, 0})
    void aPruneTakesWhatIsRecorded(int days) {
        Instant now =
                Seconds.read(ANSWERS.required("mutations_on_a_copy").get("now").doubleValue());
        List<SessionId> old = store.sessions().endedBefore(now.minus(Duration.ofDays(days)), Optional.empty());

        Stores.commit(store, old.stream().map(Change.DeleteSession::new).toArray(Change[]::new));

        assertAfter("prune_" + days);
        assertThat(old).hasSize(mutation("prune_" + days).get("result").intValue());
    }

    @Test
    void aDeletedSessionTakesItsMessagesAndFreesItsChildren() {
        Stores.commit(store, new Change.DeleteSession(A));

        assertAfter("delete_A");
    }

    @Test
    void deletingAnUnknownSessionChangesNothing() {
        Stores.commit(store, new Change.DeleteSession(SessionId.of("nope")));

        assertAfter("delete_missing");
    }

    /** Clearing is replacing by nothing; what other counters say stays (storage 3.8). */
    @Test
    void aClearedSessionKeepsEverythingButItsMessages() {
        Session before = store.sessions().find(A).orElseThrow();

        Stores.commit(store, new Change.ReplaceMessages(A, List.of()));

        assertAfter("clear_A");
        assertThat(store.sessions().find(A))
                .contains(before.toBuilder().counts(0, 0).build());
    }

    @Test
    void aSessionMayKeepItsOwnTitle() {
        Optional<String> title = store.sessions().find(A).orElseThrow().title();

        Stores.commit(store, new Change.EditSession(A, new SessionEdit.Retitle(title)));

        assertAfter("title_same_session");
        assertThat(store.sessions().find(A).orElseThrow().title()).isEqualTo(title);
    }

    @Test
    void aTitleForAnUnknownSessionChangesNothing() {
        Stores.commit(store, new Change.EditSession(SessionId.of("nope"), new SessionEdit.Retitle(Optional.of("New"))));

        assertAfter("title_missing_session");
        assertThat(store.sessions().findByTitle("New")).isEmpty();
    }

    @Test
    void aSessionWithAnUnknownParentIsRefused() {
        Session orphan = Session.builder(SessionId.of("orphan"), "cli", Openings.NOW)
                .parent(SessionId.of("nope"))
                .build();

        assertThatThrownBy(() -> Stores.commit(store, new Change.CreateSession(orphan)))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("nope");

        assertAfter("create_missing_parent");
    }

    @Test
    void creatingASessionAgainChangesNothing() {
        Session before = store.sessions().find(A).orElseThrow();

        Stores.commit(
                store,
                new Change.CreateSession(
                        Session.builder(A, "other", Openings.NOW).model("m").build()));

        assertAfter("create_existing");
        assertThat(store.sessions().find(A)).contains(before);
    }

    /** Old files are brought up to date and say the same. */
    @ParameterizedTest
    @ValueSource(strings = {"state-v1.db", "state-v9.db", "state-v10.db"})
    void anOldFileSaysWhatIsRecordedAfterItsUpgrade(String name) {
        JsonNode answers = Fixtures.expected(name);
        try (Storage old = Stores.write(Fixtures.copy(name, folder))) {
            List<SessionListing> rows = old.sessions().list(SessionQuery.usual());
            JsonNode expected = answers.required("list_rich_after");

            assertThat(rows)
                    .extracting(row -> row.session().id().value())
                    .containsExactlyElementsOf(texts(expected, "id"));
            assertThat(rows).extracting(SessionListing::preview).containsExactlyElementsOf(texts(expected, "preview"));
            for (var entry : fields(answers.required("conversation_after"))) {
                assertThat(replayed(Conversation.of(old.transcripts().load(SessionId.of(entry.getKey())))))
                        .containsExactlyElementsOf(entry.getValue());
            }
        }
    }

    /** A file that lacks columns and Parley's own tables says the same when it is only read, and is not changed. */
    @ParameterizedTest
    @ValueSource(strings = {"state-v1.db", "state-v9.db", "state-v10.db"})
    void anOldFileSaysTheSameWhenItIsOnlyRead(String name) {
        Path file = Fixtures.copy(name, folder);
        String before = Fixtures.sha256(file);
        JsonNode answers = Fixtures.expected(name);

        try (Storage old = Stores.read(file)) {
            assertThat(old.sessions().list(SessionQuery.usual()))
                    .extracting(row -> row.session().id().value())
                    .containsExactlyElementsOf(texts(answers.required("list_rich_after"), "id"));
            assertThat(old.sessions().list(SessionQuery.usual().ordered(SessionQuery.Order.LAST_ACTIVE)))
                    .hasSameSizeAs(answers.required("list_rich_after"));
            assertThat(old.lanes().count()).isZero();
            assertThat(old.queue().undelivered()).isEmpty();
            for (var entry : fields(answers.required("conversation_after"))) {
                assertThat(replayed(Conversation.of(old.transcripts().load(SessionId.of(entry.getKey())))))
                        .containsExactlyElementsOf(entry.getValue());
            }
        }

        assertThat(Fixtures.sha256(file)).isEqualTo(before);
    }

    private Lineage.Family family() {
        return new Lineage.Family() {
            @Override
            public Optional<Session> find(SessionId id) {
                return store.sessions().find(id);
            }

            @Override
            public List<Session> childrenOf(SessionId id) {
                return store.sessions().childrenOf(id);
            }

            @Override
            public Instant lastActive(Session session) {
                return store.transcripts().load(session.id()).stream()
                        .map(message -> message.message().at())
                        .max(Instant::compareTo)
                        .orElse(session.startedAt());
            }

            @Override
            public boolean hasMessages(Session session) {
                return store.transcripts().count(session.id()) > 0;
            }
        };
    }

    private void assertAfter(String mutation) {
        JsonNode expected = mutation(mutation);
        Set<String> left = new HashSet<>();
        Map<String, String> parents = new LinkedHashMap<>();
        store.sessions().forEach(session -> {
            left.add(session.id().value());
            session.parent().ifPresent(parent -> parents.put(session.id().value(), parent.value()));
        });
        Set<String> expectedLeft = new HashSet<>();
        expected.required("sessions_left").forEach(id -> expectedLeft.add(id.textValue()));
        Map<String, String> expectedParents = new LinkedHashMap<>();
        fields(expected.required("parents"))
                .forEach(entry ->
                        expectedParents.put(entry.getKey(), entry.getValue().textValue()));
        assertThat(left).isEqualTo(expectedLeft);
        assertThat(parents).isEqualTo(expectedParents);
        assertThat(store.transcripts().countAll())
                .isEqualTo(expected.get("messages_left").longValue());
    }

    private static JsonNode mutation(String name) {
        return ANSWERS.required("mutations_on_a_copy").required(name);
    }

    private static SessionQuery query(JsonNode params) {
        Set<String> exclude = new HashSet<>();
        params.path("exclude_sources").forEach(source -> exclude.add(source.textValue()));
        return SessionQuery.usual()
                .sources(Optional.ofNullable(params.path("source").textValue()), exclude)
                .window(params.path("limit").asInt(20), params.path("offset").asInt(0))
                .shape(
                        params.path("include_children").asBoolean(false),
                        params.path("project_compression_tips").asBoolean(true));
    }

    /** Returns messages as the recorded answers write them (storage 4.4). */
    private static List<JsonNode> replayed(List<Message> messages) {
        return messages.stream().map(FixtureReadTest::replayed).toList();
    }

    private static JsonNode replayed(Message message) {
        ObjectNode node = JSON.createObjectNode();
        node.put("role", message.role().name());
        node.set("content", content(message.content()));
        message.toolCallId().filter(id -> !id.isEmpty()).ifPresent(id -> node.put("tool_call_id", id));
        message.toolName().filter(name -> !name.isEmpty()).ifPresent(name -> node.put("tool_name", name));
        message.toolCalls().ifPresent(calls -> node.set("tool_calls", toolCalls(calls)));
        if (message.role().equals(Role.ASSISTANT)) {
            message.finishReason().filter(r -> !r.isEmpty()).ifPresent(r -> node.put("finish_reason", r));
            message.reasoning().text().filter(r -> !r.isEmpty()).ifPresent(r -> node.put("reasoning", r));
            message.reasoning().content().ifPresent(r -> node.put("reasoning_content", r));
            message.reasoning()
                    .details()
                    .filter(FixtureReadTest::says)
                    .ifPresent(json -> node.set("reasoning_details", decoded(json)));
            message.reasoning()
                    .codexItems()
                    .filter(FixtureReadTest::says)
                    .ifPresent(json -> node.set("codex_reasoning_items", decoded(json)));
            message.reasoning()
                    .codexMessageItems()
                    .filter(FixtureReadTest::says)
                    .ifPresent(json -> node.set("codex_message_items", decoded(json)));
        }
        return node;
    }

    private static JsonNode content(Content content) {
        if (content instanceof Content.Text text) {
            return JSON.getNodeFactory().textNode(text.text());
        }
        return content instanceof Content.Multipart parts ? decoded(parts.json()) : NullNode.getInstance();
    }

    private static JsonNode toolCalls(ToolCalls calls) {
        JsonNode decoded = decoded(calls.json().orElseThrow());
        return decoded.isArray() ? decoded : JSON.createArrayNode();
    }

    private static boolean says(RawJson json) {
        return !json.text().isEmpty();
    }

    private static JsonNode decoded(RawJson json) {
        try {
            return JSON.readTree(json.text());
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            return NullNode.getInstance();
        }
    }

    private static JsonNode overridden(String key) {
        ObjectNode merged = ANSWERS.required(key).deepCopy();
        JsonNode later = ANSWERS.path(key + "_later_v11");
        later.properties().forEach(entry -> merged.set(entry.getKey(), entry.getValue()));
        return merged;
    }

    private static List<Map.Entry<String, JsonNode>> fields(JsonNode node) {
        return List.copyOf(node.properties());
    }

    private static List<Long> longs(JsonNode node) {
        List<Long> longs = new ArrayList<>();
        node.forEach(each -> longs.add(each.longValue()));
        return longs;
    }

    private static List<String> texts(JsonNode rows, String field) {
        List<String> texts = new ArrayList<>();
        rows.forEach(row -> texts.add(row.get(field).textValue()));
        return texts;
    }

    private static Optional<String> text(JsonNode row, String field) {
        return Optional.ofNullable(row.path(field).textValue());
    }

    private static Optional<Double> number(JsonNode row, String field) {
        return row.get(field).isNumber() ? Optional.of(row.get(field).doubleValue()) : Optional.empty();
    }
}
