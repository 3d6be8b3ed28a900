package dev.parley.fakes.signal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The daemon's JSON-RPC: single calls and batches, with the errors of the real one. */
final class Rpc {
    static final int USER = -1;
    static final int RATE_LIMIT = -5;

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int UNREADABLE = -32700;
    private static final int REQUEST = -32600;
    private static final int NO_METHOD = -32601;
    private static final int PARAMETERS = -32602;
    private static final Set<String> OF_AN_ACCOUNT = Set.of("send", "sendTyping", "getAttachment");

    private final String account;
    private final Methods methods;

    /** What the calls do. */
    interface Methods {
        /** Notes a call, and returns the error that was planned for it. */
        Optional<JsonNode> planned(String method, JsonNode parameters);

        JsonNode send(JsonNode parameters);

        Optional<byte[]> file(String id);

        boolean hasGroup(String id);
    }

    Rpc(String account, Methods methods) {
        this.account = account;
        this.methods = methods;
    }

    static ObjectNode error(int code, String message) {
        ObjectNode error = JSON.createObjectNode().put("code", code).put("message", message);
        error.putNull("data");
        return error;
    }

    /** Returns a parameter that may stand alone, as a list, or in its plural. */
    static List<String> texts(JsonNode parameters, String name) {
        JsonNode value = parameters.has(name) ? parameters.path(name) : parameters.path(name + "s");
        List<String> texts = new ArrayList<>();
        if (value.isArray()) {
            value.forEach(each -> texts.add(each.asText()));
        } else if (!value.isMissingNode() && !value.isNull()) {
            texts.add(value.asText());
        }
        return texts;
    }

    /** Answers what was posted; nothing where it is a notification. */
    Optional<JsonNode> answer(byte[] body, boolean single) {
        JsonNode request;
        try {
            request = JSON.readTree(body);
        } catch (JsonProcessingException e) {
            return Optional.of(failed(error(UNREADABLE, e.getOriginalMessage()), NullNode.getInstance()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (request.isArray() && !request.isEmpty()) {
            ArrayNode answers = JSON.createArrayNode();
            request.forEach(each -> one(each, single).ifPresent(answers::add));
            return Optional.of(answers);
        }
        if (!request.isObject()) {
            String message = request.isArray() ? "invalid request" : "unexpected type: " + request.getNodeType();
            return Optional.of(failed(error(REQUEST, message), NullNode.getInstance()));
        }
        return one(request, single);
    }

    private Optional<JsonNode> one(JsonNode request, boolean single) {
        JsonNode id = request.has("id") ? request.path("id") : NullNode.getInstance();
        if (!request.path("jsonrpc").asText("").equals("2.0")) {
            return Optional.of(failed(error(REQUEST, "only jsonrpc version 2.0 is supported"), id));
        }
        if (!request.path("method").isTextual()) {
            return Optional.of(failed(error(REQUEST, "method field must be set"), id));
        }
        JsonNode answer = call(request.path("method").asText(), request.path("params"), single);
        if (!request.has("id")) {
            return Optional.empty();
        }
        if (answer.has("code")) {
            return Optional.of(failed(answer, id));
        }
        ObjectNode result = JSON.createObjectNode().put("jsonrpc", "2.0");
        result.set("result", answer.path("is"));
        result.set("id", id);
        return Optional.of(result);
    }

    private static JsonNode failed(JsonNode error, JsonNode id) {
        ObjectNode answer = JSON.createObjectNode().put("jsonrpc", "2.0");
        answer.set("error", error);
        answer.set("id", id);
        return answer;
    }

    /** Returns the error, or the result under {@code is}. */
    private JsonNode call(String method, JsonNode parameters, boolean single) {
        Optional<JsonNode> planned = methods.planned(method, parameters);
        if (planned.isPresent()) {
            return planned.get();
        }
        if (OF_AN_ACCOUNT.contains(method) && !single) {
            if (!parameters.hasNonNull("account")) {
                return error(PARAMETERS, "Method requires valid account parameter");
            }
            if (!parameters.path("account").asText().equals(account)) {
                return error(PARAMETERS, "Specified account does not exist");
            }
        }
        return switch (method) {
            case "version" -> is(JSON.createObjectNode().put("version", "0.13.19"));
            case "listAccounts" -> single ? noMethod() : is(accounts());
            case "send" -> send(parameters);
            case "sendTyping" -> is(JSON.createObjectNode().put("timestamp", 1));
            case "getAttachment" ->
                methods.file(parameters.path("id").asText(""))
                        .map(bytes -> is(JSON.createObjectNode()
                                .put("data", Base64.getEncoder().encodeToString(bytes))))
                        .orElseGet(() -> error(USER, "Could not find attachment"));
            default -> noMethod();
        };
    }

    private static ObjectNode noMethod() {
        return error(NO_METHOD, "Method not implemented");
    }

    private ArrayNode accounts() {
        ArrayNode accounts = JSON.createArrayNode();
        accounts.addObject().put("number", account);
        return accounts;
    }

    private JsonNode send(JsonNode parameters) {
        String group = parameters.path("groupId").asText("");
        if (group.isEmpty() && texts(parameters, "recipient").isEmpty()) {
            return error(USER, "No recipients given");
        }
        if (!group.isEmpty() && !methods.hasGroup(group)) {
            return error(USER, "Failed to send to group: Group not found: " + group);
        }
        return is(methods.send(parameters));
    }

    private static ObjectNode is(JsonNode result) {
        ObjectNode is = JSON.createObjectNode();
        is.set("is", result);
        return is;
    }
}
