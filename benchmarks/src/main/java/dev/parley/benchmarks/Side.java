package dev.parley.benchmarks;

import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Conversation;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** One of the two that are compared, on its file in a folder of {@link ChatFiles}. */
interface Side extends AutoCloseable {
    /** Returns a call of this work; calls that append may be made by many threads at once. */
    Call call(Work work) throws SQLException;

    @Override
    void close() throws SQLException;

    /** Opens the side of this name, {@code store} or {@code plain}. */
    static Side open(String name, Path folder) throws SQLException {
        return name.equals("store") ? new OfStore(folder) : new OfPlain(folder);
    }

    /** Texts that are made before anything is measured. */
    final class Texts {
        private static final int MADE = 2_000;
        private static final List<String> ALL = java.util.stream.LongStream.range(0, MADE)
                .mapToObj(ChatTexts::of)
                .toList();

        private Texts() {}

        static String of(long number) {
            return ALL.get((int) (number % MADE));
        }
    }

    /** The store, through its ports. */
    final class OfStore implements Side {
        private final Storage storage;
        private final AtomicLong numbers = new AtomicLong(1_000_000_000);

        OfStore(Path folder) {
            storage = Stores.sqlite(folder.resolve("store.db"), StorageSettings.Mode.READ_WRITE);
            Texts.of(0);
        }

        @Override
        public Call call(Work work) {
            SessionId session = SessionId.of(ChatFiles.LONG);
            return switch (work) {
                case APPEND -> this::append;
                case LOAD -> () -> storage.transcripts().load(session);
                case REPLAY -> () -> Conversation.of(storage.transcripts().load(session));
                case LIST_STARTED -> () -> storage.sessions().list(SessionQuery.usual());
                case LIST_ACTIVE ->
                    () -> storage.sessions().list(SessionQuery.usual().ordered(SessionQuery.Order.LAST_ACTIVE));
                case SEARCH_RANKED -> search(ChatTexts.TWO_WORDS, Optional.empty());
                case SEARCH_NEWEST -> search(ChatTexts.COMMON, Optional.of(SearchQuery.Sort.NEWEST));
                case SEARCH_SHORT_CJK -> search(ChatTexts.SHORT_CJK, Optional.empty());
            };
        }

        private void append() {
            long number = numbers.incrementAndGet();
            Message said = Message.builder(
                            new MessageId("a" + number),
                            Role.USER,
                            Content.text(Texts.of(number)),
                            ChatFiles.START.plusMillis(number))
                    .build();
            storage.ledger()
                    .commit(new Batch(
                            new BatchId("w" + Thread.currentThread().getId(), number),
                            List.of(),
                            List.of(new Change.AppendMessages(SessionId.of(ChatFiles.OPEN), List.of(said)))));
        }

        private Call search(String text, Optional<SearchQuery.Sort> sort) {
            SearchQuery query =
                    new SearchQuery(text, Optional.empty(), List.of(), List.of(), 20, 0, sort, Viewer.operator());
            return () -> storage.search().search(query);
        }

        @Override
        public void close() {
            storage.close();
        }
    }

    /**
     * Plain JDBC on schema 11. The list by activity is asked of the store's file, with its index of activity: schema 11 has none and
     * would read every message.
     */
    final class OfPlain implements Side {
        private static final String ACTIVE =
                "select s.*, p.lane, p.origin, coalesce((select m.timestamp from messages m where m.session_id = s.id"
                        + " order by m.timestamp desc limit 1), s.started_at) as latest,"
                        + " coalesce((select substr(m.content, 1, 63) from messages m where m.session_id = s.id"
                        + " and m.role = 'user' and m.content is not null order by m.timestamp, m.id limit 1), '') as preview"
                        + " from parley_sessions p cross join sessions s"
                        + " left join sessions parent on parent.id = s.parent_session_id where s.id = p.session_id and"
                        + " (s.parent_session_id is null or parent.end_reason = 'branched'"
                        + " and s.started_at >= parent.ended_at) order by p.last_active desc limit 20";

        private final PlainSchema11 plain;
        private final Connection active;
        private final AtomicLong numbers = new AtomicLong(1_000_000_000);

        OfPlain(Path folder) throws SQLException {
            plain = new PlainSchema11(folder.resolve("plain.db"));
            active = Stores.plain(folder.resolve("store.db"));
            Texts.of(0);
        }

        @Override
        public Call call(Work work) throws SQLException {
            return switch (work) {
                case APPEND ->
                    () -> {
                        long number = numbers.incrementAndGet();
                        plain.append(ChatFiles.OPEN, Texts.of(number), ChatFiles.at(number));
                    };
                case LOAD -> () -> plain.load(ChatFiles.LONG);
                case REPLAY -> () -> plain.replay(ChatFiles.LONG);
                case LIST_STARTED -> plain::listStarted;
                case LIST_ACTIVE -> {
                    PreparedStatement listed = active.prepareStatement(ACTIVE);
                    yield () -> PlainSchema11.read(listed);
                }
                case SEARCH_RANKED -> () -> plain.ranked(ChatTexts.TWO_WORDS);
                case SEARCH_NEWEST -> () -> plain.newest(ChatTexts.COMMON);
                case SEARCH_SHORT_CJK -> () -> plain.shortCjk(ChatTexts.SHORT_CJK);
            };
        }

        @Override
        public void close() throws SQLException {
            active.close();
            plain.close();
        }
    }
}
