package dev.parley.adapter.whatsapp;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The bridge as it is, in a directory of its own, with a Baileys whose server is a directory. */
final class FakeWhatsApp {
    static final String ADA = "491511@s.whatsapp.net";
    static final Path BRIDGE = Path.of("bridge").toAbsolutePath();

    private static final JsonMapper JSON = JsonMapper.builder().build();

    final Path server;
    final Path bridge;
    private final AtomicInteger written = new AtomicInteger();

    FakeWhatsApp(Path root) {
        try {
            server = Files.createDirectories(root.resolve("server"));
            Files.createDirectories(server.resolve("in"));
            Files.createDirectories(server.resolve("media"));
            bridge = Files.createDirectories(root.resolve("bridge"));
            try (Stream<Path> files = Files.list(BRIDGE)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.copy(file, bridge.resolve(file.getFileName()));
                }
            }
            copy(BRIDGE.resolve("test/fake"), bridge.resolve("node_modules"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    /** Leaves a test out where there is no Node.js of version 20 or later. */
    static void needsNode() {
        assumeTrue(hasNode(), "needs Node.js 20 or later");
    }

    private static boolean hasNode() {
        try {
            Process node = new ProcessBuilder("node", "--version").start();
            String version = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return node.waitFor() == 0 && version.matches("(?s)v(2[0-9]|[3-9][0-9])\\..*");
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Somebody writes; it waits until it is acknowledged. */
    void write(String chat, String text, String id) {
        ObjectNode content = JSON.createObjectNode().put("conversation", text);
        write(chat, content, id);
    }

    void write(String chat, ObjectNode content, String id) {
        ObjectNode message = JSON.createObjectNode();
        message.putObject("key").put("remoteJid", chat).put("id", id).put("fromMe", false);
        message.put("pushName", "Ada");
        message.put("messageTimestamp", 1_900_000_000L);
        message.set("message", content);
        try {
            Path file = server.resolve("in").resolve(String.format("%08d.json", written.incrementAndGet()));
            Path beside = server.resolve("next");
            Files.writeString(beside, message.toString());
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void set(String name, String text) {
        try {
            Path beside = Files.writeString(server.resolve("next"), text);
            Files.move(beside, server.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void unset(String name) {
        try {
            Files.deleteIfExists(server.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what was sent, each id once. */
    List<JsonNode> sent() {
        return lines("sent.jsonl");
    }

    List<String> shown(String chat) {
        return sent().stream()
                .filter(each -> each.path("jid").asText().equals(chat))
                .map(each -> each.path("content"))
                .map(content ->
                        content.path("text").asText(content.path("caption").asText()))
                .toList();
    }

    /** Returns the names of the documents that were sent. */
    List<String> documents(String chat) {
        return sent().stream()
                .filter(each -> each.path("jid").asText().equals(chat))
                .map(each -> each.path("content").path("fileName").asText())
                .filter(name -> !name.isEmpty())
                .toList();
    }

    List<JsonNode> lines(String name) {
        try {
            Path file = server.resolve(name);
            if (!Files.exists(file)) {
                return List.of();
            }
            String text = Files.readString(file);
            // A line that is being written is not there yet.
            return text.substring(0, text.lastIndexOf('\n') + 1)
                    .lines()
                    .map(FakeWhatsApp::json)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode json(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns how many files are in a directory. */
    static long count(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.count();
        } catch (IOException e) {
            return 0;
        }
    }

    /** Waits until something holds; fails where that takes too long. */
    static void until(String what, BooleanSupplier holds) {
        Object nobody = new Object();
        long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Not so: " + what);
            }
            try {
                synchronized (nobody) {
                    nobody.wait(10);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
