package dev.parley.browser;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A gateway's last days: chats on three platforms, a conversation that was reset at the daily boundary, failures, an answer that waits. */
final class Demo {
    /** The lane that was reset. */
    static final String RESET = "agent:main:telegram:dm:518230417";

    /** A lane whose turns failed. */
    static final String FAILED = "agent:main:discord:group:release:ada";

    /** Another lane that was reset, for those who take it back. */
    static final String MISTAKEN = "agent:main:telegram:dm:518230418";

    private final LocalDateTime now;

    /** The boundary lay between two and three hours ago, whenever the tests run. */
    private final int hour;

    private final Map<LocalDateTime, List<String>> lines = new TreeMap<>(Comparator.naturalOrder());

    /** Days that end now. */
    Demo(Instant now) {
        this.now = LocalDateTime.ofInstant(now.truncatedTo(ChronoUnit.SECONDS), ZoneOffset.UTC);
        this.hour = this.now.minusHours(2).getHour();
    }

    String configuration() {
        return "zone: UTC\nstorage:\n  busy_patience: 1\nsession_reset:\n  mode: daily\n  at_hour: " + hour + "\n";
    }

    String scenario() {
        days();
        reset();
        mistakenReset();
        failures();
        away();
        StringBuilder text = new StringBuilder("{\"scenario\":\"demo\",\"zone\":\"UTC\",\"config\":{\"session_reset\":"
                + "{\"mode\":\"daily\",\"at_hour\":" + hour + "}}}\n");
        lines.values().forEach(each -> each.forEach(line -> text.append(line).append('\n')));
        return text.toString();
    }

    private void line(LocalDateTime at, String line) {
        lines.computeIfAbsent(at, time -> new ArrayList<>()).add(line);
    }

    private void says(LocalDateTime at, String from, String text, String agent) {
        line(at, "{\"do\":\"agent\"," + agent + "}");
        line(
                at,
                "{\"at\":\"" + at + "\",\"from\":{" + from + "},\"text\":" + Texts.quoted(text) + ",\"message_id\":\"m-"
                        + at + "\"}");
    }

    private static String reply(String text, int input, int cached, int output) {
        return "\"reply\":" + Texts.quoted(text) + ",\"takes\":\"PT8S\",\"usage\":{\"input\":" + input
                + ",\"cache_read\":" + cached + ",\"output\":" + output + ",\"reasoning\":" + output / 3 + "}";
    }

    private void days() {
        String room = "\"platform\":\"slack\",\"chat_type\":\"group\",\"chat_id\":\"C07\",\"chat_name\":\"operations\","
                + "\"user_id\":\"U1\",\"user_name\":\"ada\"";
        for (int day = 12; day >= 1; day--) {
            LocalDateTime at = now.minusDays(day).minusMinutes(37L * day);
            says(
                    at,
                    room,
                    "Is the nightly backup of " + at.toLocalDate() + " whole?",
                    reply(
                            "Yes: all 14 volumes were copied and verified.",
                            1800 + 140 * day,
                            900 * (day % 4),
                            160 + 25 * (day % 5)));
        }
    }

    private void reset() {
        String chat = "\"platform\":\"telegram\",\"chat_type\":\"dm\",\"chat_id\":\"518230417\","
                + "\"user_id\":\"518230417\",\"user_name\":\"ada\",\"chat_name\":\"ada\"";
        LocalDateTime at = now.minusHours(6);
        says(
                at,
                chat,
                "Where does the migration stand?",
                reply("Two of five tables are moved; orders is next and takes about 40 minutes.", 5200, 0, 240));
        says(
                at.plusMinutes(3),
                chat,
                "Check the row counts before you go on.",
                "\"tools\":[{\"name\":\"query\",\"arguments\":\"{\\\"sql\\\": \\\"select count(*) from orders\\\"}\","
                        + "\"result\":\"orders: 1204417 rows on both sides\"}],"
                        + reply("Both sides have 1,204,417 rows. I go on with orders.", 5600, 5100, 180));
        says(
                now.minusMinutes(25),
                chat,
                "Is orders done?",
                reply("I do not know which orders you mean. Tell me a little more?", 900, 0, 60));
    }

    private void mistakenReset() {
        String chat = "\"platform\":\"telegram\",\"chat_type\":\"dm\",\"chat_id\":\"518230418\","
                + "\"user_id\":\"518230418\",\"user_name\":\"ben\",\"chat_name\":\"ben\"";
        says(
                now.minusHours(5),
                chat,
                "Which invoices are still open?",
                reply("Three of eleven are open; I remind the customers today.", 2100, 0, 90));
        says(now.minusMinutes(20), chat, "Did they answer?", reply("Who do you mean by they?", 800, 0, 30));
    }

    private void failures() {
        String room =
                "\"platform\":\"discord\",\"chat_type\":\"group\",\"chat_id\":\"release\",\"chat_name\":\"release\","
                        + "\"user_id\":\"ada\",\"user_name\":\"ada\"";
        says(now.minusHours(1), room, "Draft the notes for 2.4", reply("Here is a draft of the notes.", 3100, 0, 420));
        says(
                now.minusMinutes(50),
                room,
                "Add what changed in the exporter",
                "\"outcome\":\"fail\",\"usage\":{\"input\":3300}");
    }

    private void away() {
        LocalDateTime at = now.minusMinutes(12);
        line(at, "{\"at\":\"" + at + "\",\"do\":\"disconnect\",\"platform\":\"discord\"}");
        String room =
                "\"platform\":\"discord\",\"chat_type\":\"group\",\"chat_id\":\"release\",\"chat_name\":\"release\","
                        + "\"user_id\":\"ada\",\"user_name\":\"ada\"";
        says(
                now.minusMinutes(11),
                room,
                "And the date of the release?",
                reply("It is planned for Thursday.", 3400, 3000, 40));
        line(now.minusMinutes(10), "{\"at\":\"" + now.minusMinutes(10) + "\"}");
    }
}
