package dev.parley.spring;

import dev.parley.application.gateway.ExitStatus;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.ParleyException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.ExitCodeGenerator;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the gateway once everything else of the application runs, and stops it first: running turns get their drain before any bean that
 * they may need is gone, also where Spring waits for less. A gateway that stops by itself ends the application.
 */
final class GatewayLifecycle implements SmartLifecycle, DisposableBean, ExitCodeGenerator {
    private final Gateway gateway;
    private final ConfigurableApplicationContext application;
    private volatile boolean running;
    private volatile boolean asked;
    private volatile int code;

    GatewayLifecycle(Gateway gateway, ConfigurableApplicationContext application) {
        this.gateway = gateway;
        this.application = application;
    }

    @Override
    public void start() {
        try {
            gateway.start().toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ParleyException known) {
                throw known;
            }
            throw e;
        }
        running = true;
        // The gateway's own threads keep no process alive.
        new Thread(this::keepAlive, "parley-gateway").start();
    }

    private void keepAlive() {
        ExitStatus status = gateway.whenStopped().toCompletableFuture().join();
        code = status.code();
        if (!asked) {
            ApplicationLog.LOG.info("The gateway has stopped (" + status.mode() + "); the application ends.");
            application.close();
        }
    }

    private CompletionStage<ExitStatus> drained() {
        asked = true;
        return gateway.stop(StopMode.SHUTDOWN);
    }

    @Override
    public void stop(Runnable done) {
        drained().whenComplete((status, failure) -> {
            running = false;
            done.run();
        });
    }

    @Override
    public void stop() {
        drained().toCompletableFuture().join();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Returns the last phase: the gateway starts behind all others and stops before them. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }

    /** Spring destroys beans once the phase's time is over, but this one only once the gateway has stopped, and the storage behind it. */
    @Override
    public void destroy() {
        if (running) {
            stop();
        }
    }

    /** Returns what the gateway wants the process to end with: 75 for a planned restart, otherwise 0. */
    @Override
    public int getExitCode() {
        return code;
    }
}
