package dev.parley.bootstrap.cli;

import dev.parley.application.commands.OperatorOrders;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Has a lane go back to a session. */
@Command(
        name = "resume",
        description = "have a lane go back to a session it had before; the next message goes on with that one")
final class LanesResumeCommand implements Callable<Integer> {
    private final LanesCommand lanes;

    @Parameters(index = "0", paramLabel = "KEY", description = "the lane; see `parley lanes list`")
    private String key = "";

    @Parameters(index = "1", paramLabel = "ID", description = "the session; see `parley sessions list`")
    private String session = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    LanesResumeCommand(LanesCommand lanes) {
        this.lanes = lanes;
    }

    @Override
    public Integer call() {
        SessionId id = SessionId.of(session);
        return lanes.order(
                SessionKey.of(key),
                Optional.empty(),
                (gateway, lane) -> gateway.resume(lane, id),
                Optional.of(context -> OperatorOrders.resume(context, id)),
                new LanesCommand.Answer(
                        "resumed",
                        "there is no such session, the lane or another one is in it, or a turn runs",
                        json.isWanted()));
    }
}
