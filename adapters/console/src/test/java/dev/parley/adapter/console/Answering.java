package dev.parley.adapter.console;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Function;

/** Makes things that answer some calls otherwise than what they stand for. */
final class Answering {
    private Answering() {}

    /** Returns something that answers the named calls otherwise. */
    static <T> T but(Class<T> type, Object real, Map<String, Function<Object[], Object>> otherwise) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Function<Object[], Object> own = otherwise.get(method.getName());
                    if (own != null) {
                        return own.apply(arguments);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
