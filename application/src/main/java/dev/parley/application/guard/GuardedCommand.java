package dev.parley.application.guard;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.Flags;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** A command whose failure is answered: the lane goes on, and whoever wrote it is told that nothing was changed. */
public final class GuardedCommand implements ChatCommand {
    /** What the writer reads where the store cannot be read; why that is, the operator is told. */
    private static final String AWAY =
            "Not available now, since what is stored cannot be read; nothing was changed. Try again later. The operator has been told.";

    private final ChatCommand command;
    private final Guard guard;
    private final String name;
    private final List<String> aliases;
    private final When when;

    /**
     * Guards a command; asks its names and when it may run once.
     *
     * @throws RuntimeException where it cannot say
     */
    public GuardedCommand(ChatCommand command, Guard guard) {
        this.command = command;
        this.guard = guard;
        this.name = Guard.unchecked("A command asked for its name", command::name);
        this.aliases = Guard.unchecked("The command /" + name, () -> List.copyOf(command.aliases()));
        this.when = Guard.unchecked("The command /" + name, command::when);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> aliases() {
        return aliases;
    }

    @Override
    public String usage() {
        return guard.get(Optional.empty(), failed(), command::usage, "/" + name);
    }

    @Override
    public String summary() {
        return guard.get(Optional.empty(), failed(), command::summary, "");
    }

    @Override
    public When when() {
        return when;
    }

    @Override
    public Optional<Flags> flags() {
        return guard.get(Optional.empty(), failed(), command::flags, Optional.empty());
    }

    /** Where a store cannot be read that comes back, that is answered too; that it is damaged is the caller's business. */
    @Override
    public CommandOutcome run(CommandContext context) {
        return guarded(context, () -> command.run(context));
    }

    private CommandOutcome guarded(CommandContext context, Supplier<CommandOutcome> deciding) {
        CommandOutcome failure = CommandOutcome.reply(
                "The command /" + name + " failed; nothing was changed. The operator has been told.");
        try {
            CommandOutcome outcome = Objects.requireNonNull(deciding.get(), "The command decided nothing.");
            return outcome.summarise()
                    .map(wanted -> outcome.summarising(new CommandOutcome.Summarise(
                            wanted.history(), wanted.focus(), guarded(wanted.then()), guarded(wanted.otherwise()))))
                    .orElse(outcome);
        } catch (StorageUnavailable e) {
            guard.tell(Optional.of(context.lane()), "The command /" + name + " could not read what is stored.", e);
            return CommandOutcome.reply(AWAY);
        } catch (StorageCorrupt e) {
            throw e;
        } catch (Throwable e) {
            guard.tell(Optional.of(context.lane()), failed(), e);
            return failure;
        }
    }

    /** What a command does once its summary is there fails as the command does. */
    private BiFunction<CommandContext, String, CommandOutcome> guarded(
            BiFunction<CommandContext, String, CommandOutcome> goingOn) {
        return (context, text) -> guarded(context, () -> goingOn.apply(context, text));
    }

    private String failed() {
        return "The command /" + name + " failed.";
    }
}
