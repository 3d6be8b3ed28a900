package dev.parley.adapter.whatsappcloud.api;

import dev.parley.application.port.DeliveryFailed.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** The Graph API answered a call with an error: the call was not carried out, unless it is a failure of a server before it. */
public final class GraphError extends Exception {
    private static final long serialVersionUID = 1L;

    private static final int PARAMETER = 100;
    private static final int NO_SUCH_OBJECT = 33;
    private static final int PARAMETER_VALUE = 131009;
    /** The account, its token or its rights: the operator has to act. */
    private static final Set<Integer> ACCOUNT =
            Set.of(0, 3, 10, 102, 190, 368, 131005, 131031, 131042, 131045, 133006, 133010, 134011);
    /** The token itself. */
    private static final Set<Integer> TOKEN = Set.of(0, 102, 190);

    private static final Set<Integer> TOO_MUCH = Set.of(4, 17, 32, 613, 80007, 130429, 131048, 131056, 131064);
    private static final Set<Integer> PASSING =
            Set.of(1, 2, 130497, 131000, 131016, 131057, 133004, 133005, 135000, 2494055);
    /** Nobody is there under the number, or nobody whom WhatsApp reaches. */
    private static final Set<Integer> NOBODY = Set.of(131021, 131026);
    /** The person is there but is not to be written to now. */
    private static final Set<Integer> NOT_TO_THEM = Set.of(130472, 131030, 131047, 131049, 131050);

    private final int status;
    private final int code;
    private final int subcode;
    private final boolean spoken;
    private final transient Optional<Duration> retryAfter;

    GraphError(
            String call,
            int status,
            int code,
            int subcode,
            boolean spoken,
            String description,
            Optional<Duration> retryAfter) {
        super("Meta answered " + call + " with " + (spoken ? "error " + code : "status " + status) + ": "
                + description);
        this.status = status;
        this.code = code;
        this.subcode = subcode;
        this.spoken = spoken;
        this.retryAfter = retryAfter;
    }

    /** Returns the error's code; 0 where the answer was none of the Graph API. */
    public int code() {
        return code;
    }

    /** Returns how long Meta asks to wait before the next call. */
    public Optional<Duration> retryAfter() {
        return retryAfter;
    }

    /** Returns whether the access token is not, or no more, one that Meta takes. */
    public boolean isUnauthorized() {
        return status == 401 || (spoken && TOKEN.contains(code));
    }

    /** Returns whether what the call is about does not exist, or the token may not see it. */
    public boolean isUnknownObject() {
        return spoken && code == PARAMETER && subcode == NO_SUCH_OBJECT;
    }

    /** Returns whether something in the call was wrong, which may be the message that is replied to. */
    public boolean isAboutParameters() {
        return spoken && (code == PARAMETER || code == PARAMETER_VALUE);
    }

    /** Returns whether the call may have been carried out all the same: a server before the API failed. */
    public boolean isUnknown() {
        return !spoken && status >= 500;
    }

    /** Returns whether Meta is out of order rather than answering. */
    public boolean isAway() {
        return status >= 500;
    }

    /** Returns what the error means for a message. */
    public Kind kind() {
        if (isUnauthorized()) {
            return Kind.UNAUTHORIZED;
        }
        if (status == 429) {
            return Kind.RATE_LIMITED;
        }
        return spoken ? spokenKind() : Kind.AWAY;
    }

    private Kind spokenKind() {
        if (ACCOUNT.contains(code) || (code >= 200 && code < 300)) {
            return Kind.UNAUTHORIZED;
        }
        if (TOO_MUCH.contains(code)) {
            return Kind.RATE_LIMITED;
        }
        if (NOBODY.contains(code)) {
            return Kind.CHAT_GONE;
        }
        if (NOT_TO_THEM.contains(code)) {
            return Kind.FORBIDDEN;
        }
        return PASSING.contains(code) || status >= 500 ? Kind.AWAY : Kind.REJECTED;
    }
}
