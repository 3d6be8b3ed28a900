package dev.parley.application.command;

import dev.parley.application.spi.ExtensionProvider;
import java.util.List;

/**
 * Makes chat commands. Found as a service. A command of a gateway goes before one of a plug-in that has its name, and the operator is told
 * of it.
 */
public interface CommandsProvider extends ExtensionProvider<List<ChatCommand>> {}
