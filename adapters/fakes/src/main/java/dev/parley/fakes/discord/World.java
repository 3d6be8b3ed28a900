package dev.parley.fakes.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** People, guilds, channels and messages. Not safe for concurrent use: its users hold its lock. */
final class World {
    static final JsonMapper JSON = JsonMapper.builder().build();
    static final String BOT = "90000000000000001";
    static final String APPLICATION = BOT;
    static final int TEXT = 0;
    static final int DIRECT = 1;
    static final int THREAD = 11;
    static final int FORUM = 15;

    private static final long EPOCH = 1_420_070_400_000L;
    private static final int WORKER_BITS = 22;
    private static final Duration NONCES = Duration.ofMinutes(3);
    private static final Pattern NAMED = Pattern.compile("<@!?([0-9]+)>");
    private static final int LONGEST_TEXT = 2_000;
    private static final int LONGEST_NONCE = 25;

    private final InstantSource clock;
    private final Map<String, ObjectNode> people = new LinkedHashMap<>();
    private final Map<String, Guild> guilds = new LinkedHashMap<>();
    private final Map<String, Channel> channels = new LinkedHashMap<>();
    private final Map<String, Used> nonces = new LinkedHashMap<>();
    private long last;

    /** A guild. */
    static final class Guild {
        final String id;
        final String name;

        Guild(String id, String name) {
            this.id = id;
            this.name = name;
        }
    }

    /** A channel, a thread or a direct chat. */
    static final class Channel {
        final String id;
        final ObjectNode json;
        final List<ObjectNode> messages = new ArrayList<>();
        boolean closed;

        Channel(String id, ObjectNode json) {
            this.id = id;
            this.json = json;
        }

        int type() {
            return json.path("type").asInt();
        }

        Optional<String> guild() {
            return Optional.of(json.path("guild_id").asText()).filter(each -> !each.isEmpty());
        }
    }

    private record Used(Channel channel, ObjectNode message, Instant at) {}

    World(InstantSource clock) {
        this.clock = clock;
        people.put(BOT, user(BOT, "parley", true));
    }

    Instant now() {
        return clock.instant();
    }

    /** Returns an id that nothing has yet, of the clock's time. */
    String snowflake() {
        long wanted = Math.max(0, now().toEpochMilli() - EPOCH) << WORKER_BITS;
        last = Math.max(wanted, last + 1);
        return String.valueOf(last);
    }

    // people and places

    private static ObjectNode user(String id, String name, boolean bot) {
        return JSON.createObjectNode()
                .put("id", id)
                .put("username", name)
                .put("discriminator", "0")
                .put("global_name", bot ? null : name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1))
                .put("avatar", (String) null)
                .put("bot", bot)
                .put("public_flags", 0);
    }

    String person(String name, boolean bot) {
        String id = snowflake();
        people.put(id, user(id, name, bot));
        return id;
    }

    ObjectNode user(String id) {
        return Optional.ofNullable(people.get(id))
                .orElseThrow(() -> new IllegalArgumentException("There is nobody " + id + "."))
                .deepCopy();
    }

    Guild guild(String name) {
        Guild guild = new Guild(snowflake(), name);
        guilds.put(guild.id, guild);
        return guild;
    }

    List<Guild> guilds() {
        return List.copyOf(guilds.values());
    }

    Guild guildOf(String id) {
        return Optional.ofNullable(guilds.get(id))
                .orElseThrow(() -> new IllegalArgumentException("There is no guild " + id + "."));
    }

    Channel direct(String person) {
        for (Channel each : channels.values()) {
            if (each.type() == DIRECT
                    && each.json.path("recipients").path(0).path("id").asText().equals(person)) {
                return each;
            }
        }
        ObjectNode json = channel(DIRECT);
        json.putArray("recipients").add(user(person));
        return added(json);
    }

    Channel channel(String guild, String name, int type) {
        ObjectNode json = channel(type)
                .put("guild_id", guildOf(guild).id)
                .put("name", name)
                .put("topic", "About " + name)
                .put("position", channels.size())
                .put("nsfw", false)
                .put("rate_limit_per_user", 0)
                .put("parent_id", (String) null);
        json.putArray("permission_overwrites");
        if (type == FORUM) {
            json.putArray("available_tags");
            json.putNull("default_reaction_emoji");
            json.put("default_forum_layout", 0);
        }
        return added(json);
    }

    /** Makes a thread; one that begins with a message has its id. */
    Channel thread(Channel parent, String name, String owner, Optional<String> begins) {
        String now = now().toString();
        ObjectNode json = channel(THREAD)
                .put("guild_id", parent.json.path("guild_id").asText())
                .put("parent_id", parent.id)
                .put("owner_id", owner)
                .put("name", name)
                .put("message_count", 0)
                .put("member_count", 1)
                .put("rate_limit_per_user", 0);
        begins.ifPresent(id -> json.put("id", id));
        json.putObject("thread_metadata")
                .put("archived", false)
                .put("auto_archive_duration", 1_440)
                .put("archive_timestamp", now)
                .put("create_timestamp", now)
                .put("locked", false);
        return added(json);
    }

    private ObjectNode channel(int type) {
        return JSON.createObjectNode()
                .put("id", snowflake())
                .put("type", type)
                .put("last_message_id", (String) null)
                .put("flags", 0);
    }

    private Channel added(ObjectNode json) {
        Channel channel = new Channel(json.path("id").asText(), json);
        channels.put(channel.id, channel);
        return channel;
    }

    Channel known(String id) {
        return Optional.ofNullable(channels.get(id))
                .orElseThrow(() -> new IllegalArgumentException("There is no channel " + id + "."));
    }

    Channel found(String id) throws DiscordFault {
        Channel channel = channels.get(id);
        if (channel == null) {
            throw new DiscordFault(404, 10_003, "Unknown Channel");
        }
        if (channel.closed) {
            throw new DiscordFault(403, 50_001, "Missing Access");
        }
        return channel;
    }

    ObjectNode member(String user) {
        ObjectNode member = JSON.createObjectNode();
        member.set("user", user(user));
        member.put("nick", (String) null)
                .put("avatar", (String) null)
                .put("joined_at", "2026-01-01T00:00:00.000000+00:00")
                .put("deaf", false)
                .put("mute", false)
                .put("flags", 0)
                .put("pending", false);
        member.putArray("roles");
        return member;
    }

    /** Returns a guild as the bot is told of it once it may see it. */
    ObjectNode told(Guild guild) {
        ObjectNode json = JSON.createObjectNode()
                .put("id", guild.id)
                .put("name", guild.name)
                .put("owner_id", BOT)
                .put("unavailable", false)
                .put("large", false)
                .put("joined_at", "2026-01-01T00:00:00.000000+00:00")
                .put("member_count", people.size())
                .put("afk_timeout", 300)
                .put("verification_level", 0)
                .put("default_message_notifications", 0)
                .put("explicit_content_filter", 0)
                .put("mfa_level", 0)
                .put("nsfw_level", 0)
                .put("premium_tier", 0)
                .put("premium_subscription_count", 0)
                .put("premium_progress_bar_enabled", false)
                .put("system_channel_flags", 0)
                .put("max_members", 500_000)
                .put("preferred_locale", "en-US");
        for (String none : List.of(
                "icon",
                "splash",
                "description",
                "banner",
                "afk_channel_id",
                "system_channel_id",
                "rules_channel_id",
                "public_updates_channel_id",
                "vanity_url_code")) {
            json.putNull(none);
        }
        for (String none : List.of(
                "features",
                "emojis",
                "stickers",
                "voice_states",
                "presences",
                "stage_instances",
                "guild_scheduled_events",
                "soundboard_sounds")) {
            json.putArray(none);
        }
        ObjectNode everyone = json.putArray("roles")
                .addObject()
                .put("id", guild.id)
                .put("name", "@everyone")
                .put("permissions", "8")
                .put("position", 0)
                .put("color", 0)
                .put("hoist", false)
                .put("managed", false)
                .put("mentionable", false)
                .put("flags", 0)
                .putNull("icon")
                .putNull("unicode_emoji");
        everyone.putObject("colors")
                .put("primary_color", 0)
                .putNull("secondary_color")
                .putNull("tertiary_color");
        json.putArray("members").add(member(BOT));
        ArrayNode places = json.putArray("channels");
        ArrayNode threads = json.putArray("threads");
        for (Channel each : channels.values()) {
            if (each.guild().filter(guild.id::equals).isPresent() && !each.closed) {
                (each.type() == THREAD ? threads : places).add(each.json.deepCopy());
            }
        }
        return json;
    }

    // messages

    /** Adds a message that somebody wrote. */
    ObjectNode add(Channel channel, String author, JsonNode wish) throws DiscordFault {
        String text = wish.path("content").asText("");
        if (text.length() > LONGEST_TEXT) {
            throw new DiscordFault(400, 50_035, "Invalid Form Body");
        }
        ObjectNode message = JSON.createObjectNode()
                .put("id", snowflake())
                .put("channel_id", channel.id)
                .put("content", text)
                .put("timestamp", now().toString())
                .put("tts", false)
                .put("mention_everyone", false)
                .put("pinned", false)
                .put("type", 0)
                .put("flags", wish.path("flags").asInt());
        message.putNull("edited_timestamp");
        message.set("author", user(author));
        message.putArray("mention_roles");
        message.putArray("attachments");
        message.putArray("embeds");
        message.putArray("components");
        for (String given : List.of("components", "attachments", "message_snapshots", "sticker_items", "type")) {
            if (wish.has(given)) {
                message.set(given, wish.get(given));
            }
        }
        mentions(message);
        reply(channel, message, wish.path("message_reference"));
        channel.messages.add(message);
        channel.json.put("last_message_id", message.path("id").asText());
        return message;
    }

    /** Lists whom a text names. */
    void mentions(ObjectNode message) {
        ArrayNode named = message.putArray("mentions");
        Matcher marks = NAMED.matcher(message.path("content").asText());
        while (marks.find()) {
            if (people.containsKey(marks.group(1))) {
                named.add(user(marks.group(1)));
            }
        }
    }

    private void reply(Channel channel, ObjectNode message, JsonNode reference) throws DiscordFault {
        String id = reference.path("message_id").asText();
        if (id.isEmpty()) {
            return;
        }
        Optional<ObjectNode> first = message(channel, id);
        if (first.isEmpty() && reference.path("fail_if_not_exists").asBoolean(true)) {
            throw new DiscordFault(400, 50_035, "Unknown message");
        }
        if (first.isPresent()) {
            message.put("type", 19);
            message.putObject("message_reference")
                    .put("type", 0)
                    .put("channel_id", channel.id)
                    .put("message_id", id);
            ObjectNode shown = first.get().deepCopy();
            shown.remove("referenced_message");
            message.set("referenced_message", shown);
        }
    }

    /** Adds a message of the bot's; one with a nonce that was used just now is the one from then. */
    ObjectNode post(Channel channel, JsonNode wish) throws DiscordFault {
        String nonce = wish.path("nonce").asText("");
        if (nonce.length() > LONGEST_NONCE) {
            throw new DiscordFault(400, 50_035, "Invalid Form Body");
        }
        if (wish.path("content").asText("").isEmpty()
                && wish.path("attachments").isEmpty()
                && wish.path("components").isEmpty()) {
            throw new DiscordFault(400, 50_006, "Cannot send an empty message");
        }
        Instant now = now();
        nonces.values().removeIf(used -> used.at().plus(NONCES).isBefore(now));
        if (wish.path("enforce_nonce").asBoolean(false) && nonces.containsKey(nonce)) {
            return nonces.get(nonce).message();
        }
        ObjectNode message = add(channel, BOT, wish);
        if (!nonce.isEmpty()) {
            nonces.put(nonce, new Used(channel, message, now));
        }
        return message;
    }

    Optional<ObjectNode> message(Channel channel, String id) {
        return channel.messages.stream()
                .filter(each -> each.path("id").asText().equals(id))
                .findFirst();
    }

    ObjectNode own(Channel channel, String id) throws DiscordFault {
        ObjectNode message = message(channel, id).orElseThrow(() -> new DiscordFault(404, 10_008, "Unknown Message"));
        if (!message.path("author").path("id").asText().equals(BOT)) {
            throw new DiscordFault(403, 50_005, "Cannot edit a message authored by another user");
        }
        return message;
    }

    /** Returns a page of what was written, the latest first, as it may be asked for. */
    List<ObjectNode> page(Channel channel, Map<String, String> query) throws DiscordFault {
        int limit;
        try {
            limit = Integer.parseInt(query.getOrDefault("limit", "50"));
        } catch (NumberFormatException e) {
            throw new DiscordFault(400, 50_035, "Invalid Form Body");
        }
        if (limit < 1 || limit > 100) {
            throw new DiscordFault(400, 50_035, "Invalid Form Body");
        }
        List<ObjectNode> found;
        if (query.containsKey("after")) {
            found = channel.messages.stream()
                    .filter(each -> isBehind(each.path("id").asText(), query.get("after")))
                    .limit(limit)
                    .toList();
        } else {
            List<ObjectNode> before = channel.messages.stream()
                    .filter(each -> !query.containsKey("before")
                            || isBehind(query.get("before"), each.path("id").asText()))
                    .toList();
            found = before.subList(Math.max(0, before.size() - limit), before.size());
        }
        List<ObjectNode> latestFirst = new ArrayList<>(found);
        Collections.reverse(latestFirst);
        return latestFirst;
    }

    static boolean isBehind(String id, String other) {
        return Long.parseUnsignedLong(id) > Long.parseUnsignedLong(other);
    }
}
