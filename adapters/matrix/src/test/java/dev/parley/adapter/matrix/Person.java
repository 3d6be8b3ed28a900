package dev.parley.adapter.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Somebody with an account on a homeserver, who does what a client does.
 *
 * @param base the homeserver
 * @param user their id
 * @param token their access token
 */
record Person(URI base, String user, String token) {
    static final JsonMapper JSON = JsonMapper.builder().build();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final AtomicLong NAMES = new AtomicLong();

    JsonNode call(String verb, String path, JsonNode body) {
        return call(base, verb, path, token, body);
    }

    static JsonNode call(URI base, String verb, String path, String token, JsonNode body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + "/" + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(
                        verb,
                        verb.equals("GET")
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body.toString()))
                .build();
        try {
            HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new AssertionError(verb + " " + path + ": " + answer.statusCode() + " " + answer.body());
            }
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new AssertionError(path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(path, e);
        }
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    static ObjectNode json(String text) {
        try {
            return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
        } catch (IOException e) {
            throw new AssertionError(text, e);
        }
    }

    String directChat(String with) {
        return room("{'is_direct':true,'preset':'trusted_private_chat','invite':['" + with + "']}");
    }

    String room(String wish) {
        return call("POST", "_matrix/client/v3/createRoom", json(wish))
                .path("room_id")
                .asText();
    }

    String write(String room, String text) {
        return send(room, "m.room.message", Person.message(text));
    }

    String send(String room, String type, JsonNode content) {
        String path = "_matrix/client/v3/rooms/" + encoded(room) + "/send/" + type + "/t" + NAMES.incrementAndGet();
        return call("PUT", path, content).path("event_id").asText();
    }

    String redact(String room, String event) {
        String path = "_matrix/client/v3/rooms/" + encoded(room) + "/redact/" + encoded(event) + "/t"
                + NAMES.incrementAndGet();
        return call("PUT", path, JSON.createObjectNode()).path("event_id").asText();
    }

    void state(String room, String type, JsonNode content) {
        call("PUT", "_matrix/client/v3/rooms/" + encoded(room) + "/state/" + type + "/", content);
    }

    String upload(String name, String type, byte[] content) {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(base + "/_matrix/media/v3/upload?filename=" + encoded(name)))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofByteArray(content))
                .build();
        try {
            return JSON.readTree(HTTP.send(request, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .path("content_uri")
                    .asText();
        } catch (IOException e) {
            throw new AssertionError(name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(name, e);
        }
    }

    byte[] download(String address) {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(base + "/_matrix/client/v1/media/download/" + address.replace("mxc://", "")))
                .header("Authorization", "Bearer " + token)
                .build();
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofByteArray()).body();
        } catch (IOException e) {
            throw new AssertionError(address, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(address, e);
        }
    }

    /** Returns the messages of somebody in a room, oldest first. */
    List<JsonNode> seen(String room, String sender) {
        JsonNode page = call(
                "GET",
                "_matrix/client/v3/rooms/" + encoded(room) + "/messages?dir=b&limit=100",
                JSON.createObjectNode());
        List<JsonNode> seen = new ArrayList<>();
        for (JsonNode event : page.path("chunk")) {
            if (event.path("type").asText().equals("m.room.message")
                    && event.path("sender").asText().equals(sender)) {
                seen.add(0, event.path("content"));
            }
        }
        return seen;
    }

    List<String> texts(String room, String sender) {
        return seen(room, sender).stream()
                .map(content -> content.path("body").asText())
                .toList();
    }

    static ObjectNode message(String text) {
        return JSON.valueToTree(Map.of("msgtype", "m.text", "body", text));
    }
}
