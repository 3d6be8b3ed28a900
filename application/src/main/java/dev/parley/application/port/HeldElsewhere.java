package dev.parley.application.port;

import dev.parley.domain.turn.LifeId;
import java.util.Optional;

/** A lane is worked on by another node, so nothing can be done to it here. Next step: ask that node, through the store. */
public final class HeldElsewhere extends ParleyException {
    private static final long serialVersionUID = 1L;

    private final transient Optional<LifeId> holder;

    /** Says who works on the lane; absent where that is not known. */
    public HeldElsewhere(Optional<LifeId> holder) {
        super(
                "The lane is worked on by the node " + holder.map(LifeId::value).orElse("that took it")
                        + "; ask that one.",
                null);
        this.holder = holder;
    }

    /** Returns who works on the lane. */
    public Optional<LifeId> holder() {
        return holder;
    }
}
