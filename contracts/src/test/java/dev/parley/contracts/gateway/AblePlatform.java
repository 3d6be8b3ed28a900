package dev.parley.contracts.gateway;

import dev.parley.application.ability.Asking;
import dev.parley.application.ability.Editing;
import dev.parley.application.ability.Menus;
import dev.parley.application.ability.Previewing;
import dev.parley.application.ability.Reacting;
import dev.parley.application.ability.SendingInParts;
import dev.parley.application.ability.Typing;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Sent;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A platform that can do everything: cuts texts up, names its messages, shows typing, previews, buttons and marks. */
class AblePlatform implements SendingInParts, Typing, Previewing, Editing, Reacting, Asking, Menus {
    static final int LONGEST = 10;

    private final ChatPlatform inner;
    private final Traits traits;
    private final Deque<RuntimeException> failures = new ArrayDeque<>();
    private int sends;

    /** What people see in all chats, by the id of each message. */
    final Map<String, String> shown = new LinkedHashMap<>();

    final Map<String, List<Choice>> buttons = new LinkedHashMap<>();
    final List<Outgoing> sent = new ArrayList<>();
    final List<String> typing = new ArrayList<>();
    final List<String> marks = new ArrayList<>();
    final List<Preview> previews = new ArrayList<>();
    final Deque<RuntimeException> previewFailures = new ArrayDeque<>();
    List<Entry> menu = List.of();
    /** What happens while the next preview is on its way to people. */
    Optional<Runnable> meanwhile = Optional.empty();

    AblePlatform(ChatPlatform inner) {
        this(inner, inner.traits());
    }

    AblePlatform(ChatPlatform inner, Traits traits) {
        this.inner = inner;
        this.traits = traits;
    }

    /** Returns the most characters of a message. */
    int longest() {
        return LONGEST;
    }

    /** The next sends fail, in order; {@link Passes} stands for one that succeeds. */
    void fail(RuntimeException... next) {
        failures.addAll(List.of(next));
    }

    Collection<String> texts() {
        return shown.values();
    }

    int sends() {
        return sends;
    }

    @Override
    public Platform name() {
        return inner.name();
    }

    @Override
    public Traits traits() {
        return traits;
    }

    @Override
    public void start(InboundListener listener) {
        inner.start(listener);
    }

    @Override
    public void stop() {
        inner.stop();
    }

    @Override
    public Sent sendPart(Outgoing message) {
        return send(message, List.of());
    }

    @Override
    public Sent ask(Outgoing question, List<Choice> choices) {
        return send(question, choices);
    }

    private Sent send(Outgoing message, List<Choice> choices) {
        sends++;
        RuntimeException failure = failures.poll();
        if (failure != null && !(failure instanceof Passes)) {
            throw failure;
        }
        sent.add(message);
        int part = message.delivery().nextPart();
        String text = message.text();
        String cut = text.substring(
                Math.min(text.length(), (part - 1) * longest()), Math.min(text.length(), part * longest()));
        String id =
                part == 1 && message.replaces().isPresent() ? message.replaces().get() : "s" + (shown.size() + 1);
        shown.put(id, cut);
        boolean more = text.length() > part * longest();
        if (!more && !choices.isEmpty()) {
            buttons.put(id, choices);
        }
        return new Sent(List.of(id), more);
    }

    @Override
    public Duration typingLasts() {
        return Duration.ofSeconds(5);
    }

    @Override
    public void typing(Address where, boolean on) {
        typing.add(where.chatId() + (on ? " on" : " off"));
    }

    @Override
    public Duration previewPause() {
        return Duration.ofSeconds(1);
    }

    @Override
    public Optional<String> preview(Preview preview) {
        previews.add(preview);
        RuntimeException failure = previewFailures.poll();
        if (failure != null) {
            throw failure;
        }
        Optional<Runnable> happens = meanwhile;
        meanwhile = Optional.empty();
        happens.ifPresent(Runnable::run);
        String id = preview.shown().orElseGet(() -> "s" + (shown.size() + 1));
        shown.put(id, preview.text() + "…");
        return Optional.of(id);
    }

    @Override
    public void edit(Address where, String messageId, String text) {
        shown.put(messageId, text);
        buttons.remove(messageId);
    }

    @Override
    public void react(Address where, String messageId, Mark mark) {
        marks.add(messageId + " " + mark);
    }

    @Override
    public void menu(List<Entry> commands) {
        menu = List.copyOf(commands);
    }

    /** Stands among failures for a send that succeeds. */
    static final class Passes extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
