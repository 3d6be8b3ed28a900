package dev.parley.adapter.console;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.spi.WebResponse;
import java.util.ArrayList;
import java.util.List;

/**
 * What concerns the gateway as a whole: usage, settings, the audit, the way in.
 *
 * @param gateway the gateway
 * @param frames makes what pages have around them
 */
record GatewayPages(GatewayInspection gateway, Frames frames) {
    private static final int AUDIT = 200;

    String usage(PageRequest request) {
        return new UsageView(gateway, request.times())
                .of(frames.of(request, "Usage", ""), UsageView.days(request), UsageView.by(request));
    }

    WebResponse usageTable(PageRequest request) {
        return new UsageView(gateway, request.times()).csv(UsageView.days(request), UsageView.by(request));
    }

    String audit(PageRequest request) {
        Times times = request.times();
        List<GatewayInspection.AuditLine> lines = gateway.audit(AUDIT);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            GatewayInspection.AuditLine line = lines.get(i);
            GatewayEvent.OperatorActed act = line.act();
            rows.add(Row.of(
                    "act-" + line.at().toEpochMilli() + "-" + (lines.size() - i),
                    times.cell("When", line.at()),
                    Cell.text("Who", Words.line(act.by())).titled(act.role()),
                    Cell.text("From", Words.line(act.remote())),
                    Cell.text("What", Words.line(act.action())),
                    act.target().startsWith("agent:")
                            ? Cell.text("Of what", Words.line(act.target())).to(Link.lane(act.target()))
                            : Cell.text("Of what", Words.line(act.target())),
                    Cell.text("Outcome", Words.line(act.outcome()))));
        }
        return Sheet.of(frames.of(request, "Audit", ""))
                .intro(
                        "What operators did last through a surface, and who tried to log in, latest first. All of it is in audit.jsonl of the"
                                + " home.")
                .tables(List.of(Table.of(
                        "Audit",
                        List.of("When", "Who", "From", "What", "Of what", "Outcome"),
                        rows,
                        "No operator has done anything yet.")))
                .html();
    }

    String settings(PageRequest request) {
        boolean all = request.parameter("all").isPresent();
        List<Row> rows = gateway.settings().stream()
                .filter(setting -> all || !setting.origin().equals("default"))
                .map(setting -> Row.of(
                        "setting-" + setting.path(),
                        Cell.text("Setting", setting.path()),
                        Cell.text("Value", Words.line(setting.value())),
                        Cell.text("From", setting.origin())))
                .toList();
        List<Pages.Choice> choices = List.of(
                new Pages.Choice("set", Link.to("/settings").text(), !all),
                new Pages.Choice("all", Link.to("/settings").with("all", "1").text(), all));
        return Sheet.of(frames.of(request, "Settings", ""))
                .intro(
                        "What holds, and where it comes from. It is changed in the file, not here; secrets are not shown.")
                .choices(choices)
                .tables(List.of(Table.of(
                        "Settings", List.of("Setting", "Value", "From"), rows, "Nothing is set; every default holds.")))
                .html();
    }

    String login(PageRequest request, Asset style, Asset script) {
        String refused = request.parameter("refused")
                .map(why -> switch (why) {
                    case "throttled" -> "Too many wrong tokens; wait a minute and try again.";
                    case "code" ->
                        "This code was used already or is older than a minute; ask parley console for a new one.";
                    default -> "This is not the token. It is in the file http-token of the home.";
                })
                .orElse("");
        return LoginRenderer.of()
                .execute(new Pages.Login(
                        style.address(),
                        script.address(),
                        request.parameter("next")
                                .filter(next -> next.startsWith(Link.ROOT + "/"))
                                .orElse(Link.ROOT + "/"),
                        refused));
    }
}
