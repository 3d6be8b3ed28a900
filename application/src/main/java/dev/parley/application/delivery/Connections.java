package dev.parley.application.delivery;

import dev.parley.application.port.ChatPlatform;
import dev.parley.domain.source.Platform;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** The platforms of a gateway: which are able to send, and which one serves another's name. Safe for concurrent use. */
public final class Connections {
    private static final int MOST_HANGING = 3;

    private final Map<Platform, ChatPlatform> platforms = new TreeMap<>();
    private final Set<Platform> connected = new ConcurrentSkipListSet<>();
    private final Map<ChatPlatform, Integer> hanging = new ConcurrentHashMap<>();

    /** None is able to send yet. A platform goes before another that bridges its name. */
    public Connections(List<? extends ChatPlatform> all) {
        for (ChatPlatform platform : all) {
            for (Platform bridged : platform.bridges()) {
                platforms.putIfAbsent(bridged, platform);
            }
        }
        for (ChatPlatform platform : all) {
            platforms.put(platform.name(), platform);
        }
    }

    /** A platform has become able to send, and those it serves with it. */
    public void connect(Platform platform) {
        connected.addAll(servedWith(platform));
    }

    /** A platform is not able to send now, nor are those it serves. */
    public void disconnect(Platform platform) {
        connected.removeAll(servedWith(platform));
    }

    private List<Platform> servedWith(Platform platform) {
        ChatPlatform served = platforms.get(platform);
        return platforms.entrySet().stream()
                .filter(e -> e.getValue() == served
                        && (e.getKey().equals(platform) || served.name().equals(platform)))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the platforms that are able to send, in order. */
    public List<Platform> connected() {
        return List.copyOf(connected);
    }

    /** Returns whether several gateways may be connected as a platform, so that each of them reaches its people. */
    public boolean isShared(Platform platform) {
        return Optional.ofNullable(platforms.get(platform))
                .map(ChatPlatform::isShared)
                .orElse(true);
    }

    /** Returns whether there is a platform for a name, able to send or not. */
    public boolean isConfigured(Platform platform) {
        return platforms.containsKey(platform);
    }

    /** Returns what sends for a platform now; absent while it is not connected, or while too many sends of it hang. */
    public Optional<ChatPlatform> sender(Platform platform) {
        return connected.contains(platform)
                ? Optional.ofNullable(platforms.get(platform)).filter(p -> hanging.getOrDefault(p, 0) < MOST_HANGING)
                : Optional.empty();
    }

    /** Returns whether a platform shows a message once that is sent twice with one id. */
    public boolean recognisesRepeats(Platform platform) {
        ChatPlatform known = platforms.get(platform);
        return known != null && known.traits().recognisesRepeats();
    }

    /** Returns how a platform's apps cut up what people write; absent where they do not. */
    public Optional<ChatPlatform.Cutting> cutting(Platform platform) {
        return Optional.ofNullable(platforms.get(platform))
                .flatMap(known -> known.traits().cutting());
    }

    /** Returns the platforms on which ids may be hidden in prompts (X9.8). */
    public List<Platform> safeForRedaction() {
        return platforms.values().stream()
                .filter(p -> p.traits().personalDataSafe() && !p.traits().mentionsNeedRawIds())
                .map(ChatPlatform::name)
                .toList();
    }

    /** A send of this platform has taken longer than it may and still has a thread. */
    void hangs(ChatPlatform platform) {
        hanging.merge(platform, 1, Integer::sum);
    }

    /** Such a send has come back; returns whether the platform is able to send again by that. */
    boolean returned(ChatPlatform platform) {
        Integer left = hanging.merge(platform, -1, Integer::sum);
        return left == MOST_HANGING - 1;
    }
}
