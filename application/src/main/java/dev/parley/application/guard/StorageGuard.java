package dev.parley.application.guard;

import dev.parley.application.actor.StorageFault;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.StrippedFailure;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls stores and their parts so that they throw only what stores may throw: everything else, an {@code Error} or a returned null too,
 * is a {@link StorageUnavailable} whose cause is a {@link StorageFault}, since nobody knows what became of the call. What was thrown is
 * told as {@link StrippedFailure} tells it. What a caller's own consumer throws in the midst of a call goes on to the caller.
 */
public final class StorageGuard {
    private StorageGuard() {}

    /**
     * Returns what a call returns.
     *
     * @param where names the store
     * @param call names the call
     */
    public static <T> T call(Supplier<String> where, String call, Supplier<? extends @Nullable T> made) {
        T result;
        try {
            result = made.get();
        } catch (Throwable e) {
            throw declared(where, call, e);
        }
        return present(where, call, result);
    }

    /**
     * Returns a part of a store whose calls are guarded.
     *
     * @param where names the store
     */
    public static <T> T part(Supplier<String> where, Class<T> port, T part) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> {
                    String call = port.getSimpleName() + "." + method.getName();
                    Callbacks callbacks = new Callbacks();
                    @Nullable Object result;
                    try {
                        result = method.invoke(part, callbacks.watched(arguments));
                    } catch (InvocationTargetException e) {
                        Throwable cause = e.getCause() == null ? e : e.getCause();
                        throw cause == callbacks.thrown ? cause : declared(where, call, cause);
                    }
                    return method.getReturnType() == void.class ? result : present(where, call, result);
                }));
    }

    private static <T> T present(Supplier<String> where, String call, @Nullable T result) {
        if (result == null) {
            throw declared(where, call, new NullPointerException("The call returned null."));
        }
        return result;
    }

    private static RuntimeException declared(Supplier<String> where, String call, Throwable thrown) {
        return thrown instanceof ParleyException known
                ? known
                : new StorageUnavailable(
                        "The store " + where.get() + " failed at " + call + ": " + StrippedFailure.told(thrown),
                        new StorageFault(call, thrown));
    }

    /** What a caller has a store call, and what that has thrown. */
    private static final class Callbacks {
        private @Nullable Throwable thrown;

        private @Nullable Object @Nullable [] watched(@Nullable Object @Nullable [] arguments) {
            if (arguments == null) {
                return null;
            }
            @Nullable Object[] watched = arguments.clone();
            for (int i = 0; i < watched.length; i++) {
                Object argument = watched[i];
                if (argument instanceof Consumer<?> consumer) {
                    watched[i] = watched(consumer);
                } else if (argument instanceof BiConsumer<?, ?> consumer) {
                    watched[i] = watched(consumer);
                }
            }
            return watched;
        }

        private <T> Consumer<T> watched(Consumer<T> consumer) {
            return value -> noted(() -> consumer.accept(value));
        }

        private <T, U> BiConsumer<T, U> watched(BiConsumer<T, U> consumer) {
            return (one, other) -> noted(() -> consumer.accept(one, other));
        }

        private void noted(Runnable call) {
            try {
                call.run();
            } catch (Throwable e) {
                thrown = e;
                throw e;
            }
        }
    }
}
