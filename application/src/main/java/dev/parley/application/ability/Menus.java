package dev.parley.application.ability;

import java.util.List;

/** A platform that offers commands in a menu. */
public interface Menus {
    /**
     * Shows these commands, in place of those shown before. Called once the platform can send; what it throws is told to the operator
     * and does no harm.
     */
    void menu(List<Entry> commands);

    /**
     * A command.
     *
     * @param name its name without the slash
     * @param description what it does, in a few words
     */
    record Entry(String name, String description) {}
}
