package dev.parley.contracts.gateway;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageParts;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;

/**
 * A store in which something happens right after it was asked something of its cluster or its queue: where a lane was taken, before
 * anything of it is read.
 *
 * @param asked the method
 */
record WhenTaken(Storage storage, String asked, Runnable then) implements ComposedStorage {
    WhenTaken(Storage storage, Runnable then) {
        this(storage, "take", then);
    }

    @Override
    public StorageParts parts() {
        return new StorageParts(
                storage.ledger(),
                storage.lanes(),
                storage.sessions(),
                storage.transcripts(),
                storage.search(),
                then(TurnQueue.class, storage.queue()),
                storage.meta(),
                storage.maintenance());
    }

    @Override
    public Optional<Cluster> cluster() {
        return storage.cluster().map(real -> then(Cluster.class, real));
    }

    private <T> T then(Class<T> port, T real) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(real, arguments);
                        if (method.getName().equals(asked)) {
                            then.run();
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @Override
    public String location() {
        return storage.location();
    }

    @Override
    public void close() {
        storage.close();
    }
}
