package dev.parley.adapter.kit.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Nulls of JSON: a field that is null says the same as one that is not there, and its text would be the word "null". */
public final class Nulls {
    private Nulls() {}

    /** Takes away each field that is null, however deep, and returns the tree; nulls in lists stay. Changes the tree it is given. */
    public static JsonNode dropped(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            object.properties().removeIf(field -> field.getValue().isNull());
        }
        tree.forEach(Nulls::dropped);
        return tree;
    }
}
