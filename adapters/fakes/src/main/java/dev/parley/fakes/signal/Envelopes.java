package dev.parley.fakes.signal;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the daemon hands over, as signal-cli documents it, for the people and groups that are known. */
final class Envelopes {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Map<String, ObjectNode> people = new HashMap<>();
    private final Map<String, String> groups = new HashMap<>();

    void person(String number, String uuid, String name) {
        ObjectNode person = JSON.createObjectNode();
        person.put("source", number.isEmpty() ? uuid : number);
        person.put("sourceNumber", number.isEmpty() ? null : number);
        person.put("sourceUuid", uuid.isEmpty() ? null : uuid);
        person.put("sourceName", name);
        person.put("sourceDevice", 1);
        people.put(number.isEmpty() ? uuid : number, person);
    }

    void group(String id, String name) {
        groups.put(id, name);
    }

    boolean hasGroup(String id) {
        return groups.containsKey(id);
    }

    /** Returns an envelope of a person; of somebody who is not known with their number alone. */
    ObjectNode from(String person, long timestamp) {
        ObjectNode unknown = JSON.createObjectNode().put("source", person).put("sourceNumber", person);
        ObjectNode envelope = people.getOrDefault(person, unknown).deepCopy();
        return envelope.put("timestamp", timestamp)
                .put("serverReceivedTimestamp", timestamp)
                .put("serverDeliveredTimestamp", timestamp);
    }

    /** Fills a message. */
    static ObjectNode message(ObjectNode message, long timestamp, @Nullable String text) {
        return message.put("timestamp", timestamp)
                .put("message", text)
                .put("expiresInSeconds", 0)
                .put("viewOnce", false);
    }

    void inGroup(ObjectNode message, String id) {
        message.putObject("groupInfo")
                .put("groupId", id)
                .put("groupName", groups.get(id))
                .put("revision", 1)
                .put("type", "DELIVER");
    }
}
