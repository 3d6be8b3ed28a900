package dev.parley.persistence.jsonl.state;

import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.persistence.jsonl.file.MetaLine;
import dev.parley.persistence.jsonl.file.SessionFile;
import dev.parley.persistence.jsonl.file.SessionLine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes a transcript from the lines of a session file, also one of another program. */
public final class TranscriptReading implements SessionFile.LineReader {
    private final SessionId session;
    private final Instant startedAt;
    private final List<SessionRow.ForeignPart> foreign;
    private final Transcript transcript = new Transcript();
    private final List<Bad> bad = new ArrayList<>();
    private final Map<SessionRow.ForeignPart, Long> inPart = new HashMap<>();
    private Optional<MetaLine> meta = Optional.empty();
    private boolean firstLineIsMessage;
    private boolean begun;
    private long numbered;
    private long greatest;
    private boolean rewritable;
    private final List<Place> places = new ArrayList<>();

    /** Where a message stands in the file. */
    public record Place(long from, long sequence) {}

    /** A line that was not understood. */
    public record Bad(long line, String why) {}

    /** Reads for a session; lines of other programs get the places of the part they lie in, and its start as their time. */
    public TranscriptReading(SessionId session, Instant startedAt, List<SessionRow.ForeignPart> foreign) {
        this.session = session;
        this.startedAt = startedAt;
        this.foreign = foreign;
    }

    @Override
    public void line(long number, long from, byte[] raw) {
        byte[] bytes = SessionFile.withoutReturn(raw);
        if (number == 1 && from == 0) {
            begun = true;
            meta = MetaLine.parse(bytes);
            if (meta.isPresent()) {
                return;
            }
        }
        SessionLine line = SessionLine.parse(bytes);
        if (line instanceof SessionLine.Skipped skipped) {
            bad.add(new Bad(number, skipped.why()));
        } else if (line instanceof SessionLine.Hidden hidden) {
            transcript.hide(hidden.messages(), hidden.as());
            rewritable = true;
        } else if (line instanceof SessionLine.Replaced) {
            transcript.removeActive();
            rewritable = true;
        } else if (line instanceof SessionLine.Said said) {
            firstLineIsMessage |= number == 1;
            add(said, from);
        }
    }

    private void add(SessionLine.Said said, long from) {
        StoredMessage row = row(said, from);
        if (said.sequence() == 0 && row.message().kind() == Message.Kind.SUMMARY) {
            transcript.compactAll();
        }
        greatest = Math.max(greatest, said.sequence());
        places.add(new Place(from, row.sequence()));
        transcript.add(row);
    }

    private StoredMessage row(SessionLine.Said said, long from) {
        Optional<SessionRow.ForeignPart> part =
                foreign.stream().filter(each -> each.holds(from)).findFirst();
        boolean own = said.sequence() > 0;
        if (own && part.filter(SessionRow.ForeignPart::renumbered).isEmpty()) {
            return new StoredMessage(said.sequence(), session, said.message(), said.state());
        }
        numbered++;
        long sequence = part.map(each -> each.sequence() + inPart.merge(each, 1L, Long::sum) - 1)
                .orElse(numbered);
        Message message = own
                ? said.message()
                : said.message().toBuilder()
                        .id(MessageId.ofRow(sequence))
                        .at(startedAt)
                        .build();
        return new StoredMessage(sequence, session, message, said.state());
    }

    /** Returns the transcript. */
    public Transcript transcript() {
        return transcript;
    }

    /** Returns the first line, or nothing where it was lost. */
    public Optional<MetaLine> meta() {
        return meta;
    }

    /** Returns whether the file can be made sense of: it begins with its first line, or with something that was said. */
    public boolean isReadable() {
        return begun && (meta.isPresent() || firstLineIsMessage);
    }

    /** Returns the lines that were not understood. */
    public List<Bad> bad() {
        return bad;
    }

    /** Returns how many messages got a place that does not stand in their line. */
    public long numbered() {
        return numbered;
    }

    /** Returns the greatest place that a line carries, or 0. */
    public long greatest() {
        return greatest;
    }

    /** Returns whether lines hide or replace what other readers of the file still see. */
    public boolean isRewritable() {
        return rewritable;
    }

    /** Returns where each message stands, in the order of the file; those that were replaced, too. */
    public List<Place> places() {
        return places;
    }

    /** Returns all messages, in order. */
    public List<StoredMessage> rows() {
        return transcript.rows();
    }
}
