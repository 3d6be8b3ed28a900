package dev.parley.adapter.langchain4j;

import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.parley.application.agents.StreamingTurn;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** One call of a streaming model, whatever threads it answers from. */
final class ModelCall implements StreamingChatResponseHandler {
    private final StreamingTurn now;
    private final CompletableFuture<ChatResponse> done = new CompletableFuture<>();
    private final AtomicBoolean streamed = new AtomicBoolean();

    private ModelCall(StreamingTurn now) {
        this.now = now;
    }

    /** Asks the model and returns what it has answered in the end; all of its text is said then. */
    static ChatResponse of(StreamingChatModel model, ChatRequest request, StreamingTurn now) throws Exception {
        ModelCall call = new ModelCall(now);
        now.callsModel();
        model.chat(request, call);
        ChatResponse response = awaited(call.done);
        if (!call.streamed.get()) {
            now.say(Optional.ofNullable(response.aiMessage().text()).orElse(""));
        }
        return response;
    }

    /** Returns what was completed, or throws what it failed with. */
    static <T> T awaited(CompletableFuture<T> done) throws Exception {
        try {
            return done.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** Returns what a tool returns; what it throws, as the model is told of it. */
    static String resultOf(Callable<String> tool) {
        try {
            return Optional.ofNullable(tool.call()).orElse("");
        } catch (Throwable e) {
            return "The tool failed: "
                    + Optional.ofNullable(e.getMessage())
                            .flatMap(message -> message.lines()
                                    .filter(line -> !line.isBlank())
                                    .findFirst())
                            .orElseGet(() -> e.getClass().getSimpleName());
        }
    }

    /** Returns whether a failure means that the model cannot work as it is configured. */
    static boolean isMisconfigured(Throwable failure) {
        return failure instanceof AuthenticationException || failure instanceof ModelNotFoundException;
    }

    @Override
    public void onPartialResponse(String text) {
        if (!text.isEmpty()) {
            streamed.set(true);
            now.say(text);
        }
    }

    @Override
    public void onPartialResponse(PartialResponse text, PartialResponseContext context) {
        Optional.ofNullable(context.streamingHandle()).ifPresent(handle -> now.onInterrupt(handle::cancel));
        onPartialResponse(text.text());
    }

    @Override
    public void onCompleteResponse(ChatResponse response) {
        done.complete(response);
    }

    @Override
    public void onError(Throwable error) {
        done.completeExceptionally(error);
    }
}
