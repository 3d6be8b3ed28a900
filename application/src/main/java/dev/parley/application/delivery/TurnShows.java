package dev.parley.application.delivery;

import dev.parley.application.ability.Previewing;
import dev.parley.application.ability.Reacting;
import dev.parley.application.ability.Typing;
import dev.parley.application.actor.ActorHost;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.Meta;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.settings.Showing;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** What people see of the running turns, where their platforms can show it. Returns at once. Safe for concurrent use. */
public final class TurnShows {
    private final ActorHost host;
    private final Connections connections;
    private final Meta meta;
    private final GatewaySettings settings;
    private final Map<TurnId, TurnShow> shows = new ConcurrentHashMap<>();
    private final Backlog backlog = new Backlog();

    /**
     * Nothing is shown yet.
     *
     * @param host what it runs on
     * @param connections the platforms
     * @param meta where the message is looked up that a turn before has left
     * @param settings what is shown on which platform
     */
    public TurnShows(ActorHost host, Connections connections, Meta meta, GatewaySettings settings) {
        this.host = host;
        this.connections = connections;
        this.meta = meta;
        this.settings = settings;
    }

    /**
     * A turn has begun.
     *
     * @param people where its people are
     * @param replyTo the message that its answer replies to; absent where it replies to none
     * @param last the message that it answers; absent where its platform names none
     * @param resumes whether it resumes a turn that was cut off, so that it takes over what that one has shown
     */
    public void begin(
            TurnId turn,
            SessionKey lane,
            SessionSource people,
            Optional<String> replyTo,
            Optional<String> last,
            boolean resumes) {
        Optional<ChatPlatform> platform = connections.sender(people.platform());
        if (platform.isEmpty()) {
            return;
        }
        Showing showing = settings.showing(people.platform());
        boolean previews = showing.previews() == Showing.Previews.ALWAYS
                || (showing.previews() == Showing.Previews.DIRECT
                        && people.chatType().isDm());
        Optional<Typing> typing = showing.typing() ? platform.get().as(Typing.class) : Optional.empty();
        Optional<Previewing> previewing = previews ? platform.get().as(Previewing.class) : Optional.empty();
        Optional<Reacting> reacting = showing.reactions() ? platform.get().as(Reacting.class) : Optional.empty();
        if (typing.isEmpty() && previewing.isEmpty() && reacting.isEmpty()) {
            return;
        }
        Optional<String> before = resumes && previewing.isPresent() ? left(people, lane) : Optional.empty();
        Shown what = new Shown(turn, lane, people.address(), replyTo, last, before);
        Chat chat = new Chat(people.platform(), people.chatId());
        TurnShow show = new TurnShow(
                host,
                what,
                typing,
                previewing,
                reacting,
                () -> backlog.isEmpty(chat) && ended(lane, turn).isEmpty(),
                gone -> shows.remove(turn));
        shows.put(turn, show);
        show.post(show::begin);
    }

    private Optional<String> left(SessionSource people, SessionKey lane) {
        try {
            return meta.cursor(Shown.name(people.platform(), lane)).flatMap(Shown::message);
        } catch (StorageUnavailable | StorageCorrupt e) {
            // A message that cannot be looked up now stays as it is; the answer becomes another one.
            return Optional.empty();
        }
    }

    /** The agent has said more. */
    public void said(TurnId turn, String delta) {
        on(turn, show -> show.said(delta));
    }

    /** The agent has asked for tools: what it says from now on is another text. */
    public void begunAnew(TurnId turn) {
        on(turn, TurnShow::begunAnew);
    }

    /** The agent waits for an answer of its people, or no longer. */
    public void waits(TurnId turn, boolean asking) {
        on(turn, asking ? TurnShow::waits : TurnShow::works);
    }

    /** The turn has ended. */
    public void end(TurnId turn, boolean answered) {
        Optional.ofNullable(shows.get(turn)).ifPresent(TurnShow::ended);
        on(turn, show -> show.end(answered ? Reacting.Mark.DONE : Reacting.Mark.FAILED));
    }

    private void on(TurnId turn, Consumer<TurnShow> what) {
        TurnShow show = shows.get(turn);
        if (show != null) {
            show.post(() -> what.accept(show));
        }
    }

    /** Returns what waits for the chats, which people are to see before the next answer. */
    Backlog backlog() {
        return backlog;
    }

    /** Returns whether an answer may take the place of a message that showed it, so that the message has to be asked for first. */
    boolean mayReplace(Outgoing message) {
        return message.kind() == Outgoing.Kind.REPLY
                && message.turn().isPresent()
                && message.lane().isPresent()
                && message.replaces().isEmpty()
                && message.delivery().parts().isEmpty()
                && message.attempts() == 0
                && connections
                        .sender(message.platform())
                        .flatMap(platform -> platform.as(Previewing.class))
                        .isPresent();
    }

    /**
     * Tells which message an answer takes the place of, once nothing is being shown of its turn any more.
     *
     * @throws StorageUnavailable where that cannot be known now
     */
    void replaced(Outgoing message, Consumer<Optional<String>> then) {
        TurnId turn = message.turn().orElseThrow();
        behind(ended(message.lane().orElseThrow(), turn).iterator(), () -> shownBy(turn, message, then));
    }

    /** Goes on once what turns of before are showing has come to people, so that they see it above what comes now. */
    private static void behind(Iterator<TurnShow> before, Runnable then) {
        boolean waits = false;
        while (!waits && before.hasNext()) {
            waits = before.next().post(() -> behind(before, then));
        }
        if (!waits) {
            then.run();
        }
    }

    /** Returns the other turns of a lane that have ended while something of them may still be on its way to people. */
    private List<TurnShow> ended(SessionKey lane, TurnId turn) {
        return shows.values().stream().filter(show -> show.isEnded(lane, turn)).toList();
    }

    private void shownBy(TurnId turn, Outgoing message, Consumer<Optional<String>> then) {
        TurnShow show = shows.get(turn);
        if (show == null || !show.post(() -> show.settled(then))) {
            then.accept(
                    meta.cursor(Shown.name(message.platform(), message.lane().orElseThrow()))
                            .flatMap(remembered -> Shown.message(remembered, turn)));
        }
    }
}
