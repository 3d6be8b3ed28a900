package dev.parley.fakes.slack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A workspace: its people, conversations and messages. Used under its owner's lock. */
final class Workspace {
    static final JsonMapper JSON = JsonMapper.builder().build();
    static final String TEAM = "T0PARLEY";
    static final String BOT_USER = "U0BOT";
    static final String BOT = "B0BOT";
    private static final int USUAL_PAGE = 100;

    private final InstantSource clock;
    private final Map<String, ObjectNode> people = new LinkedHashMap<>();
    private final Map<String, Channel> channels = new LinkedHashMap<>();
    private long lastMicros;
    private int next = 1;

    /** A conversation. */
    static final class Channel {
        final String id;
        final String kind;
        final ObjectNode json;
        final Set<String> members = new LinkedHashSet<>();
        final List<ObjectNode> messages = new ArrayList<>();

        Channel(String id, String kind, ObjectNode json) {
            this.id = id;
            this.kind = kind;
            this.json = json;
        }
    }

    Workspace(InstantSource clock) {
        this.clock = clock;
        person(BOT_USER, "parley", true);
    }

    // people and conversations

    String person(String name) {
        String id = "U" + String.format("%07d", next++);
        person(id, name, false);
        return id;
    }

    private void person(String id, String name, boolean bot) {
        ObjectNode user = JSON.createObjectNode()
                .put("id", id)
                .put("team_id", TEAM)
                .put("name", name)
                .put("is_bot", bot);
        String shown = Character.toUpperCase(name.charAt(0)) + name.substring(1);
        user.putObject("profile").put("display_name", shown).put("real_name", shown);
        people.put(id, user);
    }

    /** Makes a conversation of a kind in the words of events: im, mpim, channel or group, the last for private channels. */
    String channel(String kind, String name, String... members) {
        String letter = kind.equals("im") ? "D" : kind.equals("channel") ? "C" : "G";
        String id = letter + String.format("%07d", next++);
        ObjectNode json = JSON.createObjectNode()
                .put("id", id)
                .put("is_im", kind.equals("im"))
                .put("is_mpim", kind.equals("mpim"))
                .put("is_channel", kind.equals("channel"))
                .put("is_group", kind.equals("group"));
        if (kind.equals("im")) {
            json.put("user", members[0]);
        } else {
            json.put("name", name);
            json.putObject("topic").put("value", "");
            json.putObject("purpose").put("value", "About " + name);
        }
        Channel channel = new Channel(id, kind, json);
        channel.members.addAll(List.of(members));
        channels.put(id, channel);
        return id;
    }

    Channel known(String id) {
        return Optional.ofNullable(channels.get(id))
                .orElseThrow(() -> new IllegalArgumentException("There is no conversation " + id + "."));
    }

    Channel found(String id) throws SlackFault {
        Channel channel = channels.get(id);
        if (channel == null || (!channel.kind.equals("channel") && !channel.members.contains(BOT_USER))) {
            throw new SlackFault("channel_not_found");
        }
        return channel;
    }

    ObjectNode user(String id) throws SlackFault {
        ObjectNode user = people.get(id);
        if (user == null) {
            throw new SlackFault("user_not_found");
        }
        return user;
    }

    // messages

    /** Returns a timestamp that no message has yet. */
    String timestamp() {
        Instant now = clock.instant();
        long micros = now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
        lastMicros = Math.max(micros, lastMicros + 1);
        return String.format("%d.%06d", lastMicros / 1_000_000, lastMicros % 1_000_000);
    }

    /** Adds a message under a timestamp of its own. */
    ObjectNode add(Channel channel, ObjectNode message) {
        message.put("type", "message").put("ts", timestamp());
        channel.messages.add(message);
        return message;
    }

    Optional<ObjectNode> message(Channel channel, String ts) {
        return channel.messages.stream()
                .filter(each -> each.path("ts").asText().equals(ts))
                .findFirst();
    }

    private static boolean isReply(ObjectNode message) {
        String thread = message.path("thread_ts").asText();
        return !thread.isEmpty() && !thread.equals(message.path("ts").asText());
    }

    /** Returns a message as the history has it. */
    private ObjectNode told(Channel channel, ObjectNode message, boolean metadata) {
        ObjectNode told = message.deepCopy();
        if (!metadata) {
            told.remove("metadata");
        }
        String ts = told.path("ts").asText();
        List<ObjectNode> replies = channel.messages.stream()
                .filter(each -> isReply(each) && each.path("thread_ts").asText().equals(ts))
                .toList();
        if (!replies.isEmpty()) {
            told.put("thread_ts", ts)
                    .put("reply_count", replies.size())
                    .put(
                            "latest_reply",
                            replies.get(replies.size() - 1).path("ts").asText());
        }
        return told;
    }

    // methods

    ObjectNode history(Map<String, String> fields) throws SlackFault {
        Channel channel = member(fields);
        List<ObjectNode> all = new ArrayList<>(channel.messages.stream()
                .filter(each -> !isReply(each) || each.path("subtype").asText().equals("thread_broadcast"))
                .filter(each -> isWithin(each, fields))
                .toList());
        Collections.reverse(all);
        return page("messages", all, channel, fields);
    }

    ObjectNode replies(Map<String, String> fields) throws SlackFault {
        Channel channel = member(fields);
        String root = fields.getOrDefault("ts", "");
        if (message(channel, root).isEmpty()) {
            throw new SlackFault("thread_not_found");
        }
        List<ObjectNode> all = channel.messages.stream()
                .filter(each -> each.path("ts").asText().equals(root)
                        || (each.path("thread_ts").asText().equals(root) && isWithin(each, fields)))
                .toList();
        return page("messages", all, channel, fields);
    }

    private Channel member(Map<String, String> fields) throws SlackFault {
        Channel channel = found(fields.getOrDefault("channel", ""));
        if (!channel.members.contains(BOT_USER)) {
            throw new SlackFault("not_in_channel");
        }
        return channel;
    }

    private static boolean isWithin(ObjectNode message, Map<String, String> fields) throws NumberFormatException {
        BigDecimal ts = new BigDecimal(message.path("ts").asText());
        boolean inclusive = isSet(fields, "inclusive");
        int oldest = ts.compareTo(new BigDecimal(fields.getOrDefault("oldest", "0")));
        int latest = ts.compareTo(new BigDecimal(fields.getOrDefault("latest", "99999999999")));
        return inclusive ? oldest >= 0 && latest <= 0 : oldest > 0 && latest < 0;
    }

    private static boolean isSet(Map<String, String> fields, String name) {
        String value = fields.getOrDefault(name, "false");
        return value.equals("1") || value.equals("true");
    }

    private ObjectNode page(String name, List<ObjectNode> all, Channel channel, Map<String, String> fields) {
        boolean metadata = isSet(fields, "include_all_metadata");
        ObjectNode answer = JSON.createObjectNode().put("ok", true);
        ArrayNode page = answer.putArray(name);
        int from = Integer.parseInt(fields.getOrDefault("cursor", "0"));
        int to = Math.min(all.size(), from + Integer.parseInt(fields.getOrDefault("limit", "" + USUAL_PAGE)));
        all.subList(Math.min(from, to), to).forEach(each -> page.add(told(channel, each, metadata)));
        answer.put("has_more", to < all.size());
        answer.putObject("response_metadata").put("next_cursor", to < all.size() ? String.valueOf(to) : "");
        return answer;
    }

    ObjectNode conversations(Map<String, String> fields) {
        List<String> types =
                List.of(fields.getOrDefault("types", "public_channel").split(","));
        ObjectNode answer = JSON.createObjectNode().put("ok", true);
        ArrayNode all = answer.putArray("channels");
        for (Channel channel : channels.values()) {
            String type = switch (channel.kind) {
                case "channel" -> "public_channel";
                case "group" -> "private_channel";
                default -> channel.kind;
            };
            if (types.contains(type) && channel.members.contains(BOT_USER)) {
                all.add(channel.json);
            }
        }
        answer.putObject("response_metadata").put("next_cursor", "");
        return answer;
    }

    /** Posts as the bot; returns the message. */
    ObjectNode post(Channel channel, JsonNode wish) throws SlackFault {
        if (channel.json.path("is_archived").asBoolean(false)) {
            throw new SlackFault("is_archived");
        }
        if (!channel.members.contains(BOT_USER)) {
            throw new SlackFault("not_in_channel");
        }
        if (wish.path("text").asText().isBlank() && wish.path("blocks").isEmpty() && !wish.has("files")) {
            throw new SlackFault("no_text");
        }
        ObjectNode message = JSON.createObjectNode()
                .put("user", BOT_USER)
                .put("bot_id", BOT)
                .put("team", TEAM)
                .put("text", wish.path("text").asText());
        for (String field : List.of("thread_ts", "blocks", "metadata", "files")) {
            if (wish.has(field)) {
                message.set(field, wish.get(field));
            }
        }
        return add(channel, message);
    }
}
