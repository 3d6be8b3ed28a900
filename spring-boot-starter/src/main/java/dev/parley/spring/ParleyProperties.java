package dev.parley.spring;

import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties under {@code parley}.
 *
 * @param enabled whether there is a gateway
 * @param home the home directory: the lock, markers, and what relative addresses are resolved against
 * @param zone the zone of the daily boundary and of session ids
 * @param storage where everything is stored
 * @param agent what answers
 * @param agents the settings of agents that are found on the class path, by their names
 * @param platforms the settings of platforms that are found on the class path, by their names; those that are here start
 */
@ConfigurationProperties("parley")
public record ParleyProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue(".parley") Path home,
        @DefaultValue("UTC") ZoneId zone,
        @DefaultValue Store storage,
        @DefaultValue Answering agent,
        @DefaultValue Map<String, Map<String, String>> agents,
        @DefaultValue Map<String, Map<String, String>> platforms) {
    public ParleyProperties {
        agents = Map.copyOf(agents);
        platforms = Map.copyOf(platforms);
    }

    /**
     * Where everything is stored.
     *
     * @param url {@code SCHEME:ADDRESS}
     * @param fallback the address of the journal that takes what comes while the storage fails; {@code none} switches it off
     * @param options further settings of the storage
     */
    public record Store(
            @DefaultValue("sqlite:state.db") String url,
            @DefaultValue("jsonl:fallback") String fallback,
            @DefaultValue Map<String, String> options) {
        public Store {
            options = Map.copyOf(options);
        }
    }

    /**
     * What answers, where the application has no {@code AgentFactory} of its own.
     *
     * @param provider the name of an agent that is found on the class path; blank for a chat client or a function of the application
     * @param model the model's name, for display, of a chat client or a function
     * @param contextLength the size of the model's context in tokens; 0 where it is not known
     * @param rounds how often the model may ask for tools in one turn
     * @param approval the tools of a chat client that people are asked about
     */
    public record Answering(
            @DefaultValue("") String provider,
            @DefaultValue("") String model,
            @DefaultValue("0") long contextLength,
            @DefaultValue("25") int rounds,
            @DefaultValue List<String> approval) {
        public Answering {
            approval = List.copyOf(approval);
        }
    }
}
