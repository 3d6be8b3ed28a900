package dev.parley.adapter.whatsappcloud;

import dev.parley.adapter.kit.settings.Secret;
import dev.parley.adapter.kit.settings.SettingsReader;
import dev.parley.adapter.whatsappcloud.webhook.Listening;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings of a WhatsApp number on the Cloud API.
 *
 * @param tokenVariable the environment variable that holds the access token
 * @param token the access token
 * @param secretVariable the environment variable that holds the app's secret
 * @param appSecret the app's secret, with which Meta signs what it posts
 * @param verifyToken what Meta shows when the webhook is set up
 * @param number the id of the phone number at Meta
 * @param base the address of the Graph API with its version, without a slash at its end
 * @param patience how long an answer of Meta may take
 * @param listening where Meta's posts come in
 * @param markdown whether what is sent is read as Markdown
 */
record WhatsAppCloudSettings(
        String tokenVariable,
        Secret token,
        String secretVariable,
        Secret appSecret,
        Secret verifyToken,
        String number,
        URI base,
        Duration patience,
        Listening listening,
        boolean markdown) {
    static final String BIND = "bind";
    static final String PORT = "port";
    static final String BASE_URL = "base_url";
    static final String NUMBER = "phone_number_id";

    private static final String TOKEN_VARIABLE = "access_token_env";
    private static final String SECRET_VARIABLE = "app_secret_env";
    private static final String VERIFY_VARIABLE = "verify_token_env";
    private static final String VERSION = "api_version";
    private static final String ANSWER = "answer_timeout";
    private static final String PATH = "path";
    private static final String MARKDOWN = "markdown";

    private static final String USUAL_URL = "https://graph.facebook.com";
    private static final String USUAL_VERSION = "v24.0";
    private static final int USUAL_PORT = 8788;
    private static final Pattern WITH_VERSION = Pattern.compile(".*/v[0-9]{1,3}\\.[0-9]{1,2}");
    private static final Pattern VERSION_FORM = Pattern.compile("v[0-9]{1,3}\\.[0-9]{1,2}");
    private static final Pattern NUMBER_FORM = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Pattern PATH_FORM = Pattern.compile("/[A-Za-z0-9._~/-]{0,200}");
    private static final Pattern SECRET_FORM = Pattern.compile("[!-~]{1,2000}");

    /** The names of all settings. */
    static final Set<String> NAMES = Set.of(
            TOKEN_VARIABLE,
            SECRET_VARIABLE,
            VERIFY_VARIABLE,
            NUMBER,
            BASE_URL,
            VERSION,
            ANSWER,
            BIND,
            PORT,
            PATH,
            MARKDOWN);

    static WhatsAppCloudSettings of(ProviderSettings settings) {
        SettingsReader read = new SettingsReader(settings);
        String token = read.variable(TOKEN_VARIABLE, "WHATSAPP_CLOUD_ACCESS_TOKEN");
        String secret = read.variable(SECRET_VARIABLE, "WHATSAPP_CLOUD_APP_SECRET");
        String verify = read.variable(VERIFY_VARIABLE, "WHATSAPP_CLOUD_VERIFY_TOKEN");
        return new WhatsAppCloudSettings(
                token,
                secret(settings, read, token, TOKEN_VARIABLE, "put the access token of a system user into it"),
                secret,
                secret(
                        settings,
                        read,
                        secret,
                        SECRET_VARIABLE,
                        "put the app's secret into it, which Meta shows under the app's basic settings"),
                secret(
                        settings,
                        read,
                        verify,
                        VERIFY_VARIABLE,
                        "put a word of your own into it and enter the same one where Meta asks for the verify token"),
                number(settings),
                base(settings, read),
                read.seconds(ANSWER, 20, 1, 120),
                new Listening(bind(settings), read.number(PORT, USUAL_PORT, 0, 65_535), path(settings)),
                read.flag(MARKDOWN, true));
    }

    private static Secret secret(
            ProviderSettings settings, SettingsReader read, String variable, String setting, String what) {
        return read.secret(
                variable,
                SECRET_FORM,
                what + ", or name another variable under " + settings.nameOf(setting),
                "more than letters, digits and signs; " + what);
    }

    private static String number(ProviderSettings settings) {
        String advice =
                "; Meta shows it in the app under WhatsApp, API Setup, as 'Phone number ID', which is not the number itself.";
        String id = settings.value(NUMBER)
                .orElseThrow(() -> new InvalidRequest(settings.nameOf(NUMBER) + " is not set" + advice));
        if (!NUMBER_FORM.matcher(id).matches()) {
            throw new InvalidRequest(settings.nameOf(NUMBER) + ": '" + id + "' is no id of a phone number" + advice);
        }
        return id;
    }

    /** An address that ends in a version has said which. */
    private static URI base(ProviderSettings settings, SettingsReader read) {
        URI base = read.address(BASE_URL, settings.value(BASE_URL).orElse(USUAL_URL), "the access token", USUAL_URL);
        String version = settings.value(VERSION).orElse(USUAL_VERSION);
        if (!VERSION_FORM.matcher(version).matches()) {
            throw new InvalidRequest(settings.nameOf(VERSION) + ": '" + version
                    + "' is no version of the Graph API, such as " + USUAL_VERSION + ".");
        }
        boolean said = WITH_VERSION.matcher(String.valueOf(base.getRawPath())).matches();
        return said ? base : URI.create(base + "/" + version);
    }

    private static InetAddress bind(ProviderSettings settings) {
        String text = settings.value(BIND).orElse("127.0.0.1");
        try {
            InetAddress bind = InetAddress.getByName(text);
            if (!isHere(bind)) {
                throw new UnknownHostException(text);
            }
            if (!bind.isLoopbackAddress()) {
                settings.warnings()
                        .accept(settings.nameOf(BIND) + ": " + text
                                + " can be reached by others, and what people write crosses the network readably; put a"
                                + " proxy with TLS before it.");
            }
            return bind;
        } catch (IOException e) {
            throw new InvalidRequest(settings.nameOf(BIND) + ": '" + text
                    + "' is no address of this machine; use 127.0.0.1 for loopback.");
        }
    }

    private static boolean isHere(InetAddress address) throws SocketException {
        return address.isLoopbackAddress()
                || address.isAnyLocalAddress()
                || NetworkInterface.getByInetAddress(address) != null;
    }

    private static String path(ProviderSettings settings) {
        String path = settings.value(PATH).orElse("/webhook");
        if (!PATH_FORM.matcher(path).matches()) {
            throw new InvalidRequest(settings.nameOf(PATH) + ": '" + path
                    + "' is no path, which begins with a slash and has letters, digits, dots, dashes and slashes, such as"
                    + " /webhook.");
        }
        return path;
    }
}
