package dev.parley.fakes.matrix;

import java.util.OptionalLong;

/** An answer of the homeserver that is an error. */
final class MatrixError extends Exception {
    private static final long serialVersionUID = 1L;

    final int status;
    final String code;
    final transient OptionalLong retryAfterMillis;

    MatrixError(int status, String code, String words) {
        this(status, code, words, OptionalLong.empty());
    }

    MatrixError(int status, String code, String words, OptionalLong retryAfterMillis) {
        super(words);
        this.status = status;
        this.code = code;
        this.retryAfterMillis = retryAfterMillis;
    }

    static MatrixError forbidden(String words) {
        return new MatrixError(403, "M_FORBIDDEN", words);
    }

    static MatrixError notFound(String words) {
        return new MatrixError(404, "M_NOT_FOUND", words);
    }

    static MatrixError badRequest(String code, String words) {
        return new MatrixError(400, code, words);
    }
}
