package dev.parley.application.settings;

import dev.parley.domain.context.HomeChannel;
import dev.parley.domain.source.Platform;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * How messages to chats are delivered, and which chats are the operator's.
 *
 * @param limit how old an undelivered answer may become before it is reported as expired
 * @param noticeLimit the same for notices, which say something of the moment
 * @param bannerLimit the same for banners and acknowledgements, which are false soon
 * @param atMostOnce whether a message whose delivery is unknown is given up rather than sent again
 * @param sendTimeout how long a platform may take to send one message before that counts as failed
 * @param homeChannels the operator's chats
 * @param muted platforms that are told nothing of stops (P7.38)
 */
public record Delivery(
        Duration limit,
        Duration noticeLimit,
        Duration bannerLimit,
        boolean atMostOnce,
        Duration sendTimeout,
        List<HomeChannel> homeChannels,
        Set<Platform> muted) {
    /** What holds where nothing is configured. */
    public static final Delivery DEFAULT = new Delivery(
            Duration.ofDays(1),
            Duration.ofHours(1),
            Duration.ofMinutes(5),
            false,
            Duration.ofMinutes(1),
            List.of(),
            Set.of());

    public Delivery {
        homeChannels = List.copyOf(homeChannels);
        muted = Set.copyOf(muted);
    }

    /** Returns this with another {@link #limit()}. */
    public Delivery withLimit(Duration value) {
        return new Delivery(value, noticeLimit, bannerLimit, atMostOnce, sendTimeout, homeChannels, muted);
    }

    /** Returns this with another {@link #noticeLimit()}. */
    public Delivery withNoticeLimit(Duration value) {
        return new Delivery(limit, value, bannerLimit, atMostOnce, sendTimeout, homeChannels, muted);
    }

    /** Returns this with another {@link #bannerLimit()}. */
    public Delivery withBannerLimit(Duration value) {
        return new Delivery(limit, noticeLimit, value, atMostOnce, sendTimeout, homeChannels, muted);
    }

    /** Returns this with another {@link #atMostOnce()}. */
    public Delivery withAtMostOnce(boolean value) {
        return new Delivery(limit, noticeLimit, bannerLimit, value, sendTimeout, homeChannels, muted);
    }

    /** Returns this with another {@link #sendTimeout()}. */
    public Delivery withSendTimeout(Duration value) {
        return new Delivery(limit, noticeLimit, bannerLimit, atMostOnce, value, homeChannels, muted);
    }

    /** Returns this with another {@link #homeChannels()}. */
    public Delivery withHomeChannels(List<HomeChannel> value) {
        return new Delivery(limit, noticeLimit, bannerLimit, atMostOnce, sendTimeout, value, muted);
    }

    /** Returns this with another {@link #muted()}. */
    public Delivery withMuted(Set<Platform> value) {
        return new Delivery(limit, noticeLimit, bannerLimit, atMostOnce, sendTimeout, homeChannels, value);
    }
}
