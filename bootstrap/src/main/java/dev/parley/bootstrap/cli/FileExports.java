package dev.parley.bootstrap.cli;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.view.PlainRows;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.json.ExportedMessage;
import dev.parley.bootstrap.json.Json;
import dev.parley.bootstrap.replay.ScenarioExport;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Session;
import dev.parley.domain.transcript.StoredMessage;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes for the gateway's surfaces what {@code parley sessions export} and {@code parley lanes export-scenario} write.
 *
 * @param configuration what decides about sessions, which a scenario begins with
 */
record FileExports(Configuration configuration) implements GatewayInspection.Exports {
    @Override
    public String session(Session session) {
        return Json.line(PlainRows.session(session));
    }

    @Override
    public String message(StoredMessage message) {
        return Json.line(ExportedMessage.row(message));
    }

    @Override
    public List<String> scenario(GatewayInspection gateway, SessionKey lane, boolean texts, Consumer<String> lines) {
        return new ScenarioExport(gateway.laneReads(), gateway.queue(), configuration, texts).write(lane, lines);
    }
}
