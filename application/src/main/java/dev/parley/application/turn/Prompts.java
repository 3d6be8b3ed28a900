package dev.parley.application.turn;

import dev.parley.application.delivery.Connections;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.domain.context.ContextPrompt;
import dev.parley.domain.context.PromptSettings;
import dev.parley.domain.context.Redaction;
import dev.parley.domain.context.SessionContext;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.source.SessionSource;

/**
 * Writes the context prompt (X9).
 *
 * @param connections which platforms there are
 * @param rules how lanes are told apart
 * @param settings what prompts tell
 */
public record Prompts(Connections connections, KeyRules rules, GatewaySettings settings) {
    /** Returns the context prompt of a session for a sender. */
    public String prompt(SessionKey key, SessionEntry entry, SessionSource source) {
        SessionContext context = SessionContext.of(
                        source,
                        rules,
                        connections.connected(),
                        settings.delivery().homeChannels())
                .withSession(key, entry.sessionId().value(), entry.createdAt(), entry.updatedAt());
        Redaction redaction =
                settings.chat().redactIds() ? Redaction.on(connections.safeForRedaction()) : Redaction.off();
        return ContextPrompt.render(
                context,
                PromptSettings.DEFAULT
                        .withRedaction(redaction)
                        .withHome(settings.chat().home()));
    }
}
