package dev.parley.application.port;

import dev.parley.domain.source.SessionSource;
import java.util.List;
import java.util.Optional;

/** Decides who may talk to the gateway. Safe for concurrent use. */
public interface Authorization {
    /**
     * Returns whether a message from this source is taken; it is refused where this throws or takes longer than twenty seconds. Asked on
     * threads of the gateway, about several messages at once; the messages of one chat keep their order. An authorization that
     * {@link #neverBlocks} is asked on the thread of the platform that hands the message in.
     */
    boolean mayTalk(SessionSource source);

    /** Returns whether {@link #mayTalk} returns at once whatever happens: it waits for no lock that is held for long, no file and no server. */
    default boolean neverBlocks() {
        return false;
    }

    /**
     * Returns what somebody who may not talk is told in a direct chat, such as how to be let in; absent where nobody answers them. Asked
     * once for each message that was refused, and notes that it was: whoever writes often is not answered each time.
     */
    default Optional<String> invitation(SessionSource source) {
        return Optional.empty();
    }

    /** Returns whether this source is a configured admin, who may look across chats; nobody is while it takes longer than twenty seconds. */
    boolean isAdmin(SessionSource source);

    /**
     * Returns what lets in whom each of several lets in. An admin is who is one for any of them; who may not talk is told what the first
     * has to say that has something.
     */
    static Authorization all(List<? extends Authorization> authorizations) {
        return authorizations.size() == 1 ? authorizations.get(0) : new Several(List.copyOf(authorizations));
    }

    /** Returns what {@link #all} has put together; the authorization itself where it is one. */
    static List<Authorization> each(Authorization authorization) {
        return authorization instanceof Several several ? several.authorizations() : List.of(authorization);
    }

    /**
     * Several authorizations.
     *
     * @param authorizations asked in this order
     */
    record Several(List<Authorization> authorizations) implements Authorization {
        /** Copies the list. */
        public Several {
            authorizations = List.copyOf(authorizations);
        }

        @Override
        public boolean mayTalk(SessionSource source) {
            return authorizations.stream().allMatch(each -> each.mayTalk(source));
        }

        @Override
        public boolean neverBlocks() {
            return authorizations.stream().allMatch(Authorization::neverBlocks);
        }

        @Override
        public Optional<String> invitation(SessionSource source) {
            return authorizations.stream()
                    .map(each -> each.invitation(source))
                    .flatMap(Optional::stream)
                    .findFirst();
        }

        @Override
        public boolean isAdmin(SessionSource source) {
            return authorizations.stream().anyMatch(each -> each.isAdmin(source));
        }
    }
}
