package dev.parley.bootstrap.wiring;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandTable;
import dev.parley.application.command.CommandsProvider;
import dev.parley.application.commands.BuiltInCommands;
import dev.parley.application.commands.LaneCommands;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.LifecycleHooks;
import dev.parley.application.port.StrippedFailure;
import dev.parley.application.spi.AuthorizationProvider;
import dev.parley.application.spi.EventsProvider;
import dev.parley.application.spi.ExtensionProvider;
import dev.parley.application.spi.HooksProvider;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.ExtensionConfiguration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * What plug-ins add to a gateway, by the order of their names.
 *
 * @param commands chat commands
 * @param hooks what is told about the life of sessions
 * @param events what is told what the gateway does
 * @param authorizations what decides who may talk, beside the configuration
 */
record Extensions(
        List<ChatCommand> commands,
        List<LifecycleHooks> hooks,
        List<GatewayEvents> events,
        List<Authorization> authorizations) {
    private static final Pattern COMMAND = Pattern.compile("[a-z0-9][a-z0-9_-]*");

    /** Copies the lists. */
    Extensions {
        commands = List.copyOf(commands);
        hooks = List.copyOf(hooks);
        events = List.copyOf(events);
        authorizations = List.copyOf(authorizations);
    }

    /**
     * What one provider is asked to make.
     *
     * @param name the provider's name
     * @param maker makes it
     */
    record Step(String name, Consumer<Collected> maker) {
        /** Makes it. */
        void into(Collected made) {
            maker.accept(made);
        }
    }

    /**
     * Returns what is to be made of the plug-ins that are switched on, one step for each provider.
     *
     * @param settings returns the settings of a section, by its name and its values
     * @param warnings takes a line for each command that is never used
     */
    static List<Step> steps(
            Providers providers,
            Configuration configuration,
            BiFunction<String, Map<String, String>, ProviderSettings> settings,
            Consumer<String> warnings) {
        Set<String> taken = ownCommands(configuration);
        List<Step> steps = new ArrayList<>();
        providers.extensions().forEach((name, kinds) -> {
            ExtensionConfiguration section = Optional.ofNullable(
                            configuration.extensions().get(name))
                    .orElseGet(() -> new ExtensionConfiguration(true, Map.of()));
            if (section.enabled()) {
                kinds.forEach(provider -> steps.add(new Step(
                        name,
                        made -> make(provider, settings.apply(name, section.settings()), made, taken, warnings))));
            }
        });
        return steps;
    }

    private static void make(
            ExtensionProvider<?> provider,
            ProviderSettings settings,
            Collected made,
            Set<String> taken,
            Consumer<String> warnings) {
        String what = "The plug-in " + provider.name();
        try {
            if (provider instanceof CommandsProvider commands) {
                commands.create(settings).forEach(command -> made.commands.add(known(command, what, taken, warnings)));
            } else if (provider instanceof HooksProvider hooks) {
                made.hooks.add(Objects.requireNonNull(hooks.create(settings), "It returned no hooks."));
            } else if (provider instanceof EventsProvider events) {
                made.events.add(Objects.requireNonNull(events.create(settings), "It returned no listener."));
            } else if (provider instanceof AuthorizationProvider authorization) {
                made.authorizations.add(
                        Objects.requireNonNull(authorization.create(settings), "It returned no authorization."));
            }
        } catch (InvalidRequest e) {
            throw e;
        } catch (Throwable e) {
            throw new InvalidRequest(what + " (" + provider.getClass().getName() + ") failed at its start: "
                    + StrippedFailure.line(e)
                    + "; correct its settings, replace it, or set plugins." + provider.name() + ".enabled to false.");
        }
    }

    private static ChatCommand known(ChatCommand command, String what, Set<String> taken, Consumer<String> warnings) {
        String name = command.name();
        if (!COMMAND.matcher(name).matches()) {
            throw new IllegalStateException("\"" + name + "\" is no name of a command");
        }
        if (!taken.add(name)) {
            warnings.accept(what + " brings /" + name + ", which is never used: another command has that name.");
        }
        return command;
    }

    /** The names of the commands that go before those of plug-ins. */
    private static Set<String> ownCommands(Configuration configuration) {
        List<ChatCommand> own = new ArrayList<>(LaneCommands.all());
        own.addAll(BuiltInCommands.all());
        Set<String> names = new HashSet<>();
        CommandTable.triggers(configuration.gateway().chat().resetTriggers())
                .forEach(trigger -> names.add(CommandTable.nameOf(trigger)));
        own.forEach(command -> {
            names.add(command.name());
            names.addAll(command.aliases());
        });
        return names;
    }

    /** What was made so far. */
    static final class Collected {
        private final List<ChatCommand> commands = new ArrayList<>();
        private final List<LifecycleHooks> hooks = new ArrayList<>();
        private final List<GatewayEvents> events = new ArrayList<>();
        private final List<Authorization> authorizations = new ArrayList<>();

        /** Returns all of it. */
        Extensions all() {
            return new Extensions(commands, hooks, events, authorizations);
        }
    }
}
