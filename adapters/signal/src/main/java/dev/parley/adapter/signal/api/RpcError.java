package dev.parley.adapter.signal.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** The daemon answered a call with an error, or with something that is no answer of JSON-RPC. Its message holds no number of a person. */
public final class RpcError extends Exception {
    /** The daemon has no such method. */
    public static final int NO_METHOD = -32601;
    /** Something is wrong with a parameter: usually the account. */
    public static final int PARAMETERS = -32602;
    /** A call was no request, or a parameter has the wrong type. */
    public static final int REQUEST = -32600;
    /** Signal wants a pause. */
    public static final int RATE_LIMIT = -5;
    /** A recipient has a new safety number. */
    public static final int UNTRUSTED = -4;
    /** The daemon did not reach Signal's servers, or lost them while it sent. */
    public static final int IO = -3;
    /** What was asked for cannot be done. */
    public static final int USER = -1;

    private static final long serialVersionUID = 1L;
    private static final int INTERNAL = -32603;

    private final int status;
    private final int code;
    private final String words;
    private final transient JsonNode results;
    private final transient Optional<Duration> retryAfter;

    RpcError(String method, int status, int code, String words, JsonNode results, Optional<Duration> retryAfter) {
        super("signal-cli answered " + method + " with " + (code == 0 ? "status " + status : code + ": " + words));
        this.status = status;
        this.code = code;
        this.words = words.toLowerCase(Locale.ROOT);
        this.results = results;
        this.retryAfter = retryAfter;
    }

    /** Returns the status of HTTP. */
    public int status() {
        return status;
    }

    /** Returns the code of JSON-RPC; 0 where the answer is none of JSON-RPC. */
    public int code() {
        return code;
    }

    /** Returns whether the message has these words, in any case. */
    public boolean says(String part) {
        return words.contains(part.toLowerCase(Locale.ROOT));
    }

    /** Returns what became of a message for each recipient; missing where the daemon does not say. */
    public JsonNode results() {
        return results == null ? MissingNode.getInstance() : results;
    }

    /** Returns how long something before the daemon asks to wait. */
    public Optional<Duration> retryAfter() {
        return retryAfter;
    }

    /** Returns whether the daemon does not have the account. */
    public boolean isAboutAccount() {
        return code == PARAMETERS && says("account");
    }

    /** Returns whether the call may have been carried out all the same. */
    public boolean isUnknown() {
        return code == IO || code == INTERNAL || (code == 0 && (status < 400 || status == 500 || status > 503));
    }
}
