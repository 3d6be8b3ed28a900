package dev.parley.adapter.kit.api;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** An answer's body that fails once it is longer than a limit. */
final class LimitedBody implements BodySubscriber<byte[]> {
    private final BodySubscriber<byte[]> body;
    private final int limit;
    private long length;
    private boolean failed;
    private Flow.@Nullable Subscription subscription;

    LimitedBody(BodySubscriber<byte[]> body, int limit) {
        this.body = body;
        this.limit = limit;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        body.onSubscribe(given);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        if (failed) {
            return;
        }
        length += buffers.stream().mapToLong(ByteBuffer::remaining).sum();
        if (length > limit) {
            failed = true;
            if (subscription != null) {
                subscription.cancel();
            }
            body.onError(new IOException("the answer is longer than " + limit + " bytes"));
            return;
        }
        body.onNext(buffers);
    }

    @Override
    public void onError(Throwable failure) {
        if (!failed) {
            body.onError(failure);
        }
    }

    @Override
    public void onComplete() {
        if (!failed) {
            body.onComplete();
        }
    }
}
