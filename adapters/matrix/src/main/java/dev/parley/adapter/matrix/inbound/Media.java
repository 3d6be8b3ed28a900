package dev.parley.adapter.matrix.inbound;

import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.adapter.matrix.api.MatrixApi;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Fetches files of the account's homeserver, which asks who wants them; older homeservers ask nobody. */
final class Media implements FileFetch.Download {
    private static final Pattern ADDRESS =
            Pattern.compile("mxc://([A-Za-z0-9.:\\[\\]-]{1,255})/([A-Za-z0-9_-]{1,255})");
    private static final Duration FETCH = Duration.ofSeconds(60);

    private final MatrixApi api;

    Media(MatrixApi api) {
        this.api = api;
    }

    @Override
    public InputStream open(RemoteFile file) throws FileFetch.NotThere, IOException, InterruptedException {
        Matcher address = ADDRESS.matcher(file.id());
        if (!address.matches()) {
            throw new FileFetch.NotThere(
                    file.id().isEmpty() ? "it is encrypted or has no address" : "its address is none of Matrix's");
        }
        HttpResponse<InputStream> answer = get("client/v1/media/download/{}/{}", address);
        if (answer.statusCode() == 404) {
            answer.body().close();
            answer = get("media/v3/download/{}/{}", address);
        }
        int status = answer.statusCode();
        if (status == 200) {
            return answer.body();
        }
        answer.body().close();
        if (status >= 400 && status < 500 && status != 429) {
            throw new FileFetch.NotThere("the homeserver does not give it (" + status + ")");
        }
        throw new IOException("status " + status);
    }

    private HttpResponse<InputStream> get(String pattern, Matcher address) throws IOException, InterruptedException {
        return api.download(MatrixApi.path(pattern, address.group(1), address.group(2)), FETCH);
    }
}
