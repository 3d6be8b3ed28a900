package dev.parley.persistence.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.contracts.storage.ProviderHarness;
import dev.parley.persistence.postgres.PostgresStorageProvider;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a certificate: it is trusted where the certificate is the one named and made for its host, and nowhere else. */
class TlsTest {
    private static final char[] SECRET = "changeit".toCharArray();

    @TempDir
    static Path folder;

    private static Certificate local;
    private static Certificate other;
    private static EmbeddedPostgres server;

    /** A key and its certificate, as files that the server and the driver read. */
    private record Certificate(Path key, Path certificate) {}

    @BeforeAll
    static void startAServerWithACertificate() throws Exception {
        local = certificate("local", "ip:127.0.0.1");
        other = certificate("other", "ip:127.0.0.1");
        server = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("data"))
                .setServerConfig("ssl", "on")
                .setServerConfig("ssl_cert_file", local.certificate().toString())
                .setServerConfig("ssl_key_file", local.key().toString())
                .start();
    }

    @AfterAll
    static void stopTheServer() throws IOException {
        server.close();
    }

    /** Makes a certificate that signs itself, for a host. */
    private static Certificate certificate(String name, String host)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path store = folder.resolve(name + ".p12");
        Process made = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=" + host,
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(SECRET))
                .redirectErrorStream(true)
                .start();
        String said = new String(made.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(made.waitFor()).as(said).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, SECRET);
        }
        Path key = Files.createFile(
                folder.resolve(name + ".key"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(key, pem("PRIVATE KEY", keys.getKey(name, SECRET).getEncoded()));
        Path certificate = Files.writeString(
                folder.resolve(name + ".pem"),
                pem("CERTIFICATE", keys.getCertificate(name).getEncoded()));
        return new Certificate(key, certificate);
    }

    private static String pem(String kind, byte[] bytes) {
        return "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + kind
                + "-----\n";
    }

    private static Storage open(String host, String schema, Path trusted) {
        ProviderHarness harness = new ProviderHarness(
                new PostgresStorageProvider(),
                "//" + host + ":" + server.getPort() + "/postgres?user=postgres&schema=" + schema
                        + "&sslmode=verify-full&sslrootcert=" + trusted + "&ApplicationName=" + schema,
                folder.resolve(schema));
        return harness.open(StorageSettings.Mode.READ_WRITE);
    }

    @Test
    void aServerThatProvesWhoItIsIsSpokenToBehindTls() throws Exception {
        try (Storage storage = open("127.0.0.1", "proven", local.certificate())) {
            assertThat(storage.meta().all()).isEqualTo(Map.of());
            assertThat(connectionsBehindTls("proven")).isPositive();
        }
    }

    private static int connectionsBehindTls(String application) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres?user=postgres");
                ResultSet found = connection
                        .createStatement()
                        .executeQuery("select count(*) from pg_stat_ssl join pg_stat_activity using (pid)"
                                + " where ssl and application_name = '" + application + "'")) {
            found.next();
            return found.getInt(1);
        }
    }

    @Test
    void aServerWithTheCertificateOfSomebodyElseIsNotSpokenTo() {
        assertThatThrownBy(() -> open("127.0.0.1", "stranger", other.certificate()))
                .isInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("certificate")
                .hasMessageContaining("sslrootcert");
    }

    @Test
    void aServerWithACertificateForAnotherHostIsNotSpokenTo() {
        assertThatThrownBy(() -> open("localhost", "elsewhere", local.certificate()))
                .isInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("certificate")
                .hasMessageContaining("localhost");
    }

    /** What stands for such a server answers the first question of the driver, which is for TLS, as one does. */
    @Test
    void aServerWithoutTlsIsNotSpokenToWhereItShouldHaveIt() throws Exception {
        try (ServerSocket plain = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread refusing = new Thread(() -> {
                while (!plain.isClosed()) {
                    try (Socket asked = plain.accept()) {
                        asked.getInputStream().readNBytes(8);
                        asked.getOutputStream().write('N');
                    } catch (IOException e) {
                        // The next one is accepted, or the socket is closed.
                    }
                }
            });
            refusing.start();
            ProviderHarness harness = new ProviderHarness(
                    new PostgresStorageProvider(),
                    "//127.0.0.1:" + plain.getLocalPort() + "/postgres?user=postgres&sslmode=require",
                    folder.resolve("plain"));

            assertThatThrownBy(() -> harness.open(StorageSettings.Mode.READ_WRITE))
                    .isInstanceOf(StorageUnavailable.class)
                    .hasMessageContaining("sslmode")
                    .hasMessageNotContaining("check that the server runs");
        }
    }
}
