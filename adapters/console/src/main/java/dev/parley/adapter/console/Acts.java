package dev.parley.adapter.console;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.GatewayInspection.LaneOrder;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.WebResponse;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an operator does to a lane: a page says what will happen and how it is taken back, a form does it where the lane still stands
 * as it did on that page. All of it is told to the audit.
 *
 * @param gateway the gateway
 * @param frames makes what pages have around them
 */
record Acts(GatewayInspection gateway, Frames frames) {
    private static final String LANE = "/lane/";
    private static final Map<String, Act> ACTS = Map.of(
            "reset",
            new Act(
                    "Begin anew",
                    "A running turn is ended, what waits is dropped, and the next message begins a fresh session. Nothing is"
                            + " deleted: the session stays readable and is found by search.",
                    "You can take this back on the lane's page, as its people can with /unreset, within the time that"
                            + " gateway.unreset_window_minutes says."),
            "suspend",
            new Act(
                    "Suspend",
                    "A running turn is ended. The next message begins a fresh session.",
                    "You can take this back on the lane's page, as its people can with /resume."),
            "unsuspend",
            new Act(
                    "Take the suspension back",
                    "The next message goes on with this session instead of beginning a fresh one.",
                    "You can suspend the lane again."),
            "interrupt",
            new Act(
                    "Interrupt the turn",
                    "The running turn ends as interrupted, its answer so far is kept, and what waits runs next.",
                    "An interrupted turn cannot go on; send the message again."),
            "unreset",
            new Act(
                    "Take the reset back",
                    "The session before the reset goes on. What was said since is put behind it, in order.",
                    "You can begin the lane anew again."));

    private record Act(String label, String happens, String back) {}

    /** Returns whether a place is that of an act. */
    static boolean asks(String place) {
        return place.startsWith(LANE) && ACTS.containsKey(name(place));
    }

    static String label(String act) {
        return Optional.ofNullable(ACTS.get(act)).map(Act::label).orElse("This");
    }

    /** Returns the page that asks. */
    String ask(String place, PageRequest request) {
        String name = name(place);
        Act act = known(name);
        SessionKey key = key(request.parameter("key"));
        Lane lane = gateway.laneReads()
                .find(key)
                .orElseThrow(() -> new InvalidRequest("There is no lane with this key any more."));
        long messages = gateway.transcripts().count(lane.entry().sessionId());
        return ConfirmRenderer.of()
                .execute(new Pages.Confirm(
                        frames.of(request, act.label(), ""),
                        act.label() + ": " + key.value() + "?",
                        act.happens() + " Its session "
                                + lane.entry().sessionId().value() + " has " + Words.count(messages, "message") + ".",
                        act.back(),
                        Link.ROOT + place,
                        List.of(
                                new Pages.Carried("key", key.value()),
                                new Pages.Carried("epoch", String.valueOf(lane.epoch()))),
                        List.of(),
                        Link.lane(key.value())));
    }

    /** Does what a form asks for. */
    WebResponse act(String place, PageRequest request) {
        String name = name(place);
        Act act = known(name);
        SessionKey key = key(request.field("key"));
        long epoch = number(request.field("epoch").orElse(""));
        boolean done = false;
        String outcome = "failed";
        try {
            done = done(name, key, epoch);
            outcome = done ? "done" : "nothing";
        } catch (StorageUnavailable e) {
            outcome = "unavailable";
            throw e;
        } finally {
            Audit.tell(gateway, request, name, key.value(), outcome);
        }
        if (done) {
            return WebResponse.see(
                    Link.to("/lane").with("key", key.value()).with("done", name).text());
        }
        String why = gateway.laneReads()
                        .find(key)
                        .filter(lane -> lane.epoch() != epoch)
                        .isPresent()
                ? "The lane has moved since you looked at it, so nothing was done. Look again."
                : act.label() + ": there was nothing to be done.";
        return WebResponse.text(
                409,
                "text/html; charset=utf-8",
                NoticeRenderer.of()
                        .execute(new Pages.Notice(
                                frames.of(request, "Nothing was done", ""),
                                why,
                                Link.lane(key.value()),
                                "Look at the lane")));
    }

    private boolean done(String name, SessionKey key, long epoch) {
        return switch (name) {
            case "reset" -> gateway.order(LaneOrder.RESET, key, epoch);
            case "suspend" -> gateway.order(LaneOrder.SUSPEND, key, epoch);
            case "unsuspend" -> gateway.order(LaneOrder.UNSUSPEND, key, epoch);
            case "unreset" -> gateway.order(LaneOrder.UNRESET, key, epoch);
            default ->
                gateway.laneReads()
                                .find(key)
                                .filter(lane -> lane.epoch() == epoch)
                                .isPresent()
                        && gateway.interruptLane(key);
        };
    }

    private static String name(String place) {
        return place.substring(LANE.length());
    }

    private static Act known(String name) {
        return Optional.ofNullable(ACTS.get(name))
                .orElseThrow(() -> new InvalidRequest("There is nothing to be done here."));
    }

    private static SessionKey key(Optional<String> text) {
        return SessionKey.of(text.orElseThrow(() -> new InvalidRequest("Which lane? Its key is missing.")));
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new InvalidRequest("The form does not say which state of the lane it means; look at the lane again.");
        }
    }
}
