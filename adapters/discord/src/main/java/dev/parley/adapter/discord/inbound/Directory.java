package dev.parley.adapter.discord.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.discord.api.DiscordApi;
import dev.parley.adapter.discord.api.DiscordError;
import dev.parley.adapter.discord.api.Route;
import dev.parley.adapter.kit.api.ApiFailure;
import dev.parley.adapter.kit.flow.LookupFailed;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * What channels and guilds are: as events tell it, or as Discord answers where none has. Safe for concurrent use; blocks while it asks.
 */
final class Directory {
    private static final int MOST = 50_000;

    private final DiscordApi api;
    private final Map<String, Chat> chats = bounded();
    private final Map<String, String> guilds = bounded();

    Directory(DiscordApi api) {
        this.api = api;
    }

    private static <V> Map<String, V> bounded() {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > MOST;
            }
        };
    }

    /** Learns a guild with its channels and threads. */
    synchronized void guild(JsonNode guild) {
        Optional<String> id = Chat.text(guild, "id");
        id.ifPresent(each -> guilds.put(each, guild.path("name").asText("")));
        guild.path("channels").forEach(channel -> channel(channel, id));
        guild.path("threads").forEach(channel -> channel(channel, id));
    }

    /** Learns a channel. */
    synchronized void channel(JsonNode channel, Optional<String> guild) {
        Chat.text(channel, "id").ifPresent(id -> chats.put(id, Chat.of(channel, guild)));
    }

    /** Forgets a channel. */
    synchronized void gone(String channel) {
        chats.remove(channel);
    }

    /** Returns what a channel is, as far as that was told. */
    synchronized Optional<Chat> known(String channel) {
        return Optional.ofNullable(chats.get(channel));
    }

    /** Returns what a channel is; absent where Discord does not say. */
    Optional<Chat> asked(String channel) throws LookupFailed {
        Optional<JsonNode> found = answer(Route.channel(channel));
        synchronized (this) {
            found.ifPresent(json -> chats.put(channel, Chat.of(json, Optional.empty())));
            return known(channel);
        }
    }

    /** Returns the name of a place for people: guild, channel and thread, as far as they are known; absent for a direct chat. */
    Optional<String> name(String channel, Chat chat) {
        if (chat.guild().isEmpty()) {
            return Optional.empty();
        }
        String own = present(chat, channel).name();
        String place = chat.parent()
                .map(parent -> named(present(Chat.inGuild(""), parent).name()) + (own.isEmpty() ? "" : " / " + own))
                .orElse(named(own));
        String guild = guildName(chat.guild().get());
        String all = guild.isEmpty() || place.isEmpty() ? guild + place : guild + " / " + place;
        return Optional.of(all).filter(text -> !text.isEmpty());
    }

    private static String named(String channel) {
        return channel.isEmpty() ? "" : "#" + channel;
    }

    /** Returns the topic of a place: a thread has that of its channel. */
    Optional<String> topic(String channel, Chat chat) {
        Chat told =
                chat.parent().map(parent -> present(Chat.inGuild(""), parent)).orElseGet(() -> present(chat, channel));
        return Optional.of(told.topic()).filter(text -> !text.isEmpty());
    }

    private Chat present(Chat chat, String channel) {
        return chat.name().isEmpty() ? known(channel).or(() -> quietly(channel)).orElse(chat) : chat;
    }

    private Optional<Chat> quietly(String channel) {
        try {
            return asked(channel);
        } catch (LookupFailed e) {
            // A message is handed in without a name rather than late.
            return Optional.empty();
        }
    }

    private String guildName(String guild) {
        synchronized (this) {
            String known = guilds.get(guild);
            if (known != null || guild.isEmpty()) {
                return known == null ? "" : known;
            }
        }
        String name = "";
        try {
            name = answer(Route.guild(guild))
                    .map(json -> json.path("name").asText(""))
                    .orElse("");
        } catch (LookupFailed e) {
            return "";
        }
        synchronized (this) {
            guilds.put(guild, name);
        }
        return name;
    }

    /** Returns the roles that somebody has in a guild. */
    Set<String> roles(String guild, String user) throws LookupFailed {
        return answer(Route.member(guild, user)).map(Directory::roles).orElse(Set.of());
    }

    /** Returns the roles of a member that Discord describes. */
    static Set<String> roles(JsonNode member) {
        return StreamSupport.stream(member.path("roles").spliterator(), false)
                .map(JsonNode::asText)
                .collect(Collectors.toSet());
    }

    private Optional<JsonNode> answer(Route route) throws LookupFailed {
        try {
            return Optional.of(api.get(route));
        } catch (DiscordError e) {
            if (e.isPassing()) {
                throw new LookupFailed(e, e.retryAfter());
            }
            return Optional.empty();
        } catch (ApiFailure e) {
            throw new LookupFailed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LookupFailed(e);
        }
    }
}
