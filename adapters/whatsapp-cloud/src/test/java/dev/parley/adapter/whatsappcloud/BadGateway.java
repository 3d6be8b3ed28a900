package dev.parley.adapter.whatsappcloud;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;

/** A server before the Graph API that fails at every call. */
final class BadGateway implements AutoCloseable {
    private final Server server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

    BadGateway() {
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                Content.Source.consumeAll(request);
                response.setStatus(502);
                response.write(
                        true, ByteBuffer.wrap("<html>Bad Gateway</html>".getBytes(StandardCharsets.UTF_8)), callback);
                return true;
            }
        });
        LifeCycle.start(server);
    }

    String address() {
        return "http://127.0.0.1:" + server.getURI().getPort();
    }

    @Override
    public void close() {
        LifeCycle.stop(server);
    }
}
