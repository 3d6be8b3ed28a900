package dev.parley.application.settings;

import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.source.Platform;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * How a gateway behaves: each setting stands in one of these groups, with its default. {@code GatewaySettings.DEFAULT.busy(b ->
 * b.withMaxPending(8))} changes one.
 *
 * @param resetPolicies when sessions end by themselves
 * @param turns how long turns may take, and what their people are told meanwhile
 * @param busy what messages do to a lane on which something runs, and how much may run and wait
 * @param recovery what a start makes of turns that the process before left behind
 * @param delivery how messages to chats are delivered, and which chats are the operator's
 * @param retention how long things are kept, and how often it is looked what is over
 * @param agents how many agents are kept between turns
 * @param chat what people may do in a chat, and what prompts tell
 * @param operation how an operator's requests are met
 * @param showing what is shown of running turns, for platforms where that is not the default
 */
public record GatewaySettings(
        ResetPolicies resetPolicies,
        Turns turns,
        Busy busy,
        Recovery recovery,
        Delivery delivery,
        Retention retention,
        Agents agents,
        Chat chat,
        Operation operation,
        Map<Platform, Showing> showing) {
    public GatewaySettings {
        showing = Map.copyOf(showing);
    }

    /** Settings with the defaults of what is shown of running turns. */
    public GatewaySettings(
            ResetPolicies resetPolicies,
            Turns turns,
            Busy busy,
            Recovery recovery,
            Delivery delivery,
            Retention retention,
            Agents agents,
            Chat chat,
            Operation operation) {
        this(resetPolicies, turns, busy, recovery, delivery, retention, agents, chat, operation, Map.of());
    }

    /** What holds where nothing is configured. */
    public static final GatewaySettings DEFAULT = new GatewaySettings(
            ResetPolicies.of(ResetPolicy.DEFAULT),
            Turns.DEFAULT,
            Busy.DEFAULT,
            Recovery.DEFAULT,
            Delivery.DEFAULT,
            Retention.DEFAULT,
            Agents.DEFAULT,
            Chat.DEFAULT,
            Operation.DEFAULT);

    /** Returns this with other reset policies. */
    public GatewaySettings withResetPolicies(ResetPolicies value) {
        return new GatewaySettings(value, turns, busy, recovery, delivery, retention, agents, chat, operation, showing);
    }

    /** Returns this with its {@link Turns} changed. */
    public GatewaySettings turns(UnaryOperator<Turns> change) {
        return new GatewaySettings(
                resetPolicies,
                change.apply(turns),
                busy,
                recovery,
                delivery,
                retention,
                agents,
                chat,
                operation,
                showing);
    }

    /** Returns this with its {@link Busy} changed. */
    public GatewaySettings busy(UnaryOperator<Busy> change) {
        return new GatewaySettings(
                resetPolicies,
                turns,
                change.apply(busy),
                recovery,
                delivery,
                retention,
                agents,
                chat,
                operation,
                showing);
    }

    /** Returns this with its {@link Recovery} changed. */
    public GatewaySettings recovery(UnaryOperator<Recovery> change) {
        return new GatewaySettings(
                resetPolicies,
                turns,
                busy,
                change.apply(recovery),
                delivery,
                retention,
                agents,
                chat,
                operation,
                showing);
    }

    /** Returns this with its {@link Delivery} changed. */
    public GatewaySettings delivery(UnaryOperator<Delivery> change) {
        return new GatewaySettings(
                resetPolicies,
                turns,
                busy,
                recovery,
                change.apply(delivery),
                retention,
                agents,
                chat,
                operation,
                showing);
    }

    /** Returns this with its {@link Retention} changed. */
    public GatewaySettings retention(UnaryOperator<Retention> change) {
        return new GatewaySettings(
                resetPolicies,
                turns,
                busy,
                recovery,
                delivery,
                change.apply(retention),
                agents,
                chat,
                operation,
                showing);
    }

    /** Returns this with its {@link Agents} changed. */
    public GatewaySettings agents(UnaryOperator<Agents> change) {
        return new GatewaySettings(
                resetPolicies,
                turns,
                busy,
                recovery,
                delivery,
                retention,
                change.apply(agents),
                chat,
                operation,
                showing);
    }

    /** Returns this with its {@link Chat} changed. */
    public GatewaySettings chat(UnaryOperator<Chat> change) {
        return new GatewaySettings(
                resetPolicies,
                turns,
                busy,
                recovery,
                delivery,
                retention,
                agents,
                change.apply(chat),
                operation,
                showing);
    }

    /** Returns this with its {@link Operation} changed. */
    public GatewaySettings operation(UnaryOperator<Operation> change) {
        return new GatewaySettings(
                resetPolicies,
                turns,
                busy,
                recovery,
                delivery,
                retention,
                agents,
                chat,
                change.apply(operation),
                showing);
    }

    /** Returns this with what is shown of running turns, for platforms where that is not the default. */
    public GatewaySettings withShowing(Map<Platform, Showing> value) {
        return new GatewaySettings(
                resetPolicies, turns, busy, recovery, delivery, retention, agents, chat, operation, value);
    }

    /** Returns what is shown of running turns on a platform. */
    public Showing showing(Platform platform) {
        return showing.getOrDefault(platform, Showing.DEFAULT);
    }
}
