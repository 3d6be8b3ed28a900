package dev.parley.bootstrap.cli;

import dev.parley.adapter.http.GatewayClient;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.commands.StoredOrders;
import dev.parley.application.nodes.OrderPost;
import dev.parley.application.port.Cluster;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Node;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.PostedOrder;
import dev.parley.application.port.ProcessActivity;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.application.store.LaneReader;
import dev.parley.application.store.SessionStore;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.wiring.ProcessSurroundings;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.home.GatewayLock;
import dev.parley.home.GatewayThreads;
import dev.parley.home.WhatsAppAliasFiles;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import picocli.CommandLine.Command;

/** Looks at lanes and their history. */
@Command(
        name = "lanes",
        description =
                "list lanes, show one, say why it changed, begin it anew or take that back, ask what another reset policy would do")
final class LanesCommand extends CommandGroup {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    LanesCommand(ParleyCommand root) {
        super(root);
    }

    @Override
    public List<Object> commands() {
        return List.of(
                new LanesListCommand(this),
                new LanesShowCommand(this),
                new LanesWhyCommand(this),
                new LanesResetCommand(this),
                new LanesUnresetCommand(this),
                new LanesSuspendCommand(this),
                new LanesUnsuspendCommand(this),
                new LanesResumeCommand(this),
                new LanesInterruptCommand(this),
                new LanesDropCommand(this),
                new LanesWhatIfCommand(this),
                new LanesExportScenarioCommand(this));
    }

    /** Opens the storage for looking at it. */
    Storage look() {
        return workplace().look(Optional.empty());
    }

    /** Says that there is no such lane, and returns the exit code of that answer. */
    int notFound(SessionKey key) {
        workplace().note("parley: there is no lane " + key.value() + "; see `parley lanes list`.");
        return ExitCode.NO.code();
    }

    /**
     * Changes a lane: asks the gateway where one runs on the home, or those that live in its storage, since they hold the lanes then; else
     * does it itself.
     */
    int change(
            SessionKey lane,
            PostedOrder.What what,
            BiPredicate<GatewayClient, SessionKey> asked,
            BiPredicate<SessionStore, SessionKey> done) {
        return changed(lane, Optional.of(what), asked, Optional.of(storage -> done.test(store(storage), lane)))
                ? ExitCode.DONE.code()
                : notFound(lane);
    }

    private boolean changed(
            SessionKey lane,
            Optional<PostedOrder.What> what,
            BiPredicate<GatewayClient, SessionKey> asked,
            Optional<Predicate<Storage>> done) {
        Workplace w = workplace();
        if (done.isEmpty()) {
            return asked(lane, asked, RunningGateway.missing(w.home()));
        }
        w.home().create();
        Optional<GatewayLock> lock = GatewayLock.tryTake(w.home());
        if (lock.isEmpty()) {
            return asked(
                    lane,
                    asked,
                    new InvalidRequest("A gateway runs on the home " + w.home().path()
                            + " and does not listen over HTTP; stop it first."));
        }
        GatewayLock held = lock.get();
        try (held;
                Storage storage = w.open(Optional.empty(), Mode.READ_WRITE)) {
            Optional<Cluster> others = storage.cluster().filter(LanesCommand::isAnybodyThere);
            return others.isEmpty()
                    ? done.get().test(storage)
                    : posted(storage, others.get(), what.orElseThrow(() -> RunningGateway.missing(w.home())), lane);
        }
    }

    private boolean asked(SessionKey lane, BiPredicate<GatewayClient, SessionKey> asked, InvalidRequest silent) {
        try (GatewayThreads threads = new GatewayThreads()) {
            return asked.test(
                    RunningGateway.on(workplace().home(), threads.executor()).orElseThrow(() -> silent), lane);
        }
    }

    /**
     * What is said of what became of an order.
     *
     * @param done what was done, as the name of a field
     * @param nothing why nothing was done, as far as that is known
     * @param json whether it is said in JSON
     */
    record Answer(String done, String nothing, boolean json) {}

    /**
     * Changes a lane as {@link #change} does, and says what became of it.
     *
     * @param lane the lane
     * @param what what a node is asked for; empty where only the gateway on the home can be asked
     * @param asked asks the gateway on the home
     * @param order what is decided where no gateway works in the storage; empty where only one that runs can do it
     * @param answer what is said of it
     */
    int order(
            SessionKey lane,
            Optional<PostedOrder.What> what,
            BiPredicate<GatewayClient, SessionKey> asked,
            Optional<Function<CommandContext, Optional<CommandOutcome>>> order,
            Answer answer) {
        Workplace w = workplace();
        boolean done = changed(
                lane,
                what,
                asked,
                order.map(decided -> storage -> orders(storage).follow(lane, decided)));
        if (answer.json()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("session_key", lane.value());
            row.put(answer.done(), done);
            w.json(row);
        }
        if (!done) {
            w.note("parley: nothing was done to the lane " + lane.value() + ": there is no such lane, or "
                    + answer.nothing() + ".");
        }
        return (done ? ExitCode.DONE : ExitCode.NO).code();
    }

    private static boolean isAnybodyThere(Cluster cluster) {
        List<Node> there = LiveNodes.in(cluster);
        there.stream().filter(node -> node.self().isAlone()).findFirst().ifPresent(node -> {
            throw new InvalidRequest("The gateway " + node.shown()
                    + " works in this storage and holds its lanes; ask it from its own home, or stop it first.");
        });
        return !there.isEmpty();
    }

    /** Has the node that works on the lane do it, or any. */
    private static boolean posted(Storage storage, Cluster cluster, PostedOrder.What what, SessionKey key) {
        Optional<Lane> lane = storage.lanes().find(key);
        if (lane.isEmpty()) {
            return false;
        }
        PostedOrder order = new PostedOrder(
                ProcessSurroundings.ids().unique("order"), key, what, lane.get().epoch());
        try (GatewayThreads threads = new GatewayThreads()) {
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            new OrderPost(cluster, threads)
                    .post(order, storage.lanes().hold(key).holder(), done);
            return done.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof ParleyException known ? known : new IllegalStateException(e.getCause());
        } catch (TimeoutException | InterruptedException e) {
            boolean open = cluster.withdraw(order.id());
            throw new StorageUnavailable(
                    "No node has taken care of the lane within " + PATIENCE.toSeconds() + " s; "
                            + (open
                                    ? "nothing was done. See `parley nodes`."
                                    : "one has begun to; see `parley lanes show`."),
                    e);
        }
    }

    private SessionStore store(Storage storage) {
        return new SessionStore(
                storage,
                rules(),
                reader(storage),
                workplace().around().clock(),
                workplace().configuration().zone(),
                ProcessSurroundings.ids());
    }

    private StoredOrders orders(Storage storage) {
        Configuration c = workplace().configuration();
        return new StoredOrders(
                storage,
                reader(storage),
                rules(),
                c.gateway().chat(),
                workplace().around().clock(),
                c.zone(),
                ProcessSurroundings.ids());
    }

    private KeyRules rules() {
        return new KeyRules(
                workplace().configuration().isolation(),
                new WhatsAppAliasFiles(workplace().home()));
    }

    private LaneReader reader(Storage storage) {
        Configuration c = workplace().configuration();
        return new LaneReader(
                storage,
                rules(),
                c.resets(),
                ProcessActivity.NONE,
                workplace().around().clock(),
                c.zone());
    }
}
