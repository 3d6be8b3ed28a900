package dev.parley.adapter.whatsapp.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The bridge's program on this machine.
 *
 * @param node the program that runs it
 * @param directory where its files are
 */
public record Installation(Path node, Path directory) {
    private static final String PROGRAM = "bridge.js";
    private static final String BAILEYS = "@whiskeysockets/baileys";

    /** What the bridge is told of the environment: nothing that may hold other platforms' secrets. */
    private static final Pattern PASSED_ON = Pattern.compile(
            "PATH|HOME|TMPDIR|LANG|LC_.*|TZ|NODE_EXTRA_CA_CERTS|SSL_CERT_.*|(https?|no|all)_proxy|(HTTPS?|NO|ALL)_PROXY|TEST_.*");

    /**
     * Finds the program and what it needs. Starts nothing.
     *
     * @param settings the platform's section
     * @param node the name of Node's program, or its path
     * @param directory where the bridge's files are; absent for those of the distribution
     * @throws InvalidRequest where something is missing, saying how to install it
     */
    public static Installation of(ProviderSettings settings, String node, Optional<String> directory) {
        Path place = directory
                .map(text -> path(settings, text))
                .or(Installation::ofTheDistribution)
                .orElseThrow(
                        () -> new InvalidRequest(
                                settings.nameOf("bridge")
                                        + " is not set, and the bridge's files are not beside the program; name their directory there."));
        if (!Files.isRegularFile(place.resolve(PROGRAM))) {
            throw new InvalidRequest(settings.nameOf("bridge") + ": " + place + " has no " + PROGRAM + ".");
        }
        Path program = program(settings, node);
        Optional<String> installed =
                version(place.resolve("node_modules").resolve(BAILEYS).resolve("package.json"), "/version");
        Optional<String> wanted = version(place.resolve("package.json"), "/dependencies/" + BAILEYS.replace("/", "~1"));
        if (installed.isEmpty() || !installed.equals(wanted)) {
            throw new InvalidRequest("The packages of the WhatsApp bridge are not installed"
                    + installed.map(old -> " in the version it needs").orElse("") + "; run: npm ci --omit=dev --prefix "
                    + place);
        }
        return new Installation(program, place);
    }

    private static Path path(ProviderSettings settings, String text) {
        try {
            return settings.home().resolve(text).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new InvalidRequest(settings.nameOf("bridge") + ": '" + text + "' is no path.");
        }
    }

    /** Beside the library in a distribution, or beside the sources in a build. */
    private static Optional<Path> ofTheDistribution() {
        return Optional.ofNullable(Installation.class.getProtectionDomain().getCodeSource())
                .map(CodeSource::getLocation)
                .flatMap(url -> {
                    try {
                        return Optional.of(Path.of(url.toURI()));
                    } catch (URISyntaxException | IllegalArgumentException notAFile) {
                        return Optional.empty();
                    }
                })
                .flatMap(jar -> Stream.of("../../bridges/whatsapp", "../../bridge")
                        .map(beside -> jar.resolve(beside).normalize())
                        .filter(Files::isDirectory)
                        .findFirst());
    }

    private static Path program(ProviderSettings settings, String node) {
        boolean isPath = node.contains(File.separator);
        List<Path> places = isPath
                ? List.of(settings.home().resolve(node))
                : Stream.of(settings.environment().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                        .filter(place -> !place.isEmpty())
                        .map(place -> Path.of(place).resolve(node))
                        .toList();
        return places.stream()
                .filter(Files::isExecutable)
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow(() -> new InvalidRequest("The WhatsApp bridge needs Node.js 20 or later, and there is no "
                        + (isPath ? node : "program '" + node + "' in PATH") + "; install it, or name it in "
                        + settings.nameOf("node") + "."));
    }

    private static Optional<String> version(Path file, String where) {
        try {
            JsonNode found = Json.MAPPER.readTree(Files.readString(file)).at(where);
            return Optional.of(found.asText()).filter(text -> !text.isEmpty());
        } catch (IOException missingOrDamaged) {
            return Optional.empty();
        }
    }

    /**
     * Starts the program.
     *
     * @param environment the gateway's environment, of which the program is told no more than it needs
     * @throws IOException where it cannot be started
     */
    Process start(Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        node.toString(), directory.resolve(PROGRAM).toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        environment.forEach((name, value) -> {
            if (PASSED_ON.matcher(name).matches()) {
                builder.environment().put(name, value);
            }
        });
        return builder.start();
    }
}
