package dev.parley.fakes.discord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import net.dv8tion.jda.api.JDA;
import net.dv8tion.jda.api.JDABuilder;
import net.dv8tion.jda.api.components.actionrow.ActionRow;
import net.dv8tion.jda.api.components.buttons.Button;
import net.dv8tion.jda.api.entities.Message;
import net.dv8tion.jda.api.entities.channel.ChannelType;
import net.dv8tion.jda.api.entities.channel.concrete.TextChannel;
import net.dv8tion.jda.api.entities.emoji.Emoji;
import net.dv8tion.jda.api.events.interaction.command.SlashCommandInteractionEvent;
import net.dv8tion.jda.api.events.interaction.component.ButtonInteractionEvent;
import net.dv8tion.jda.api.events.message.MessageReceivedEvent;
import net.dv8tion.jda.api.events.session.SessionResumeEvent;
import net.dv8tion.jda.api.exceptions.ErrorResponseException;
import net.dv8tion.jda.api.exceptions.InvalidTokenException;
import net.dv8tion.jda.api.hooks.ListenerAdapter;
import net.dv8tion.jda.api.interactions.commands.OptionType;
import net.dv8tion.jda.api.interactions.commands.build.Commands;
import net.dv8tion.jda.api.requests.ErrorResponse;
import net.dv8tion.jda.api.requests.GatewayIntent;
import net.dv8tion.jda.api.requests.RestConfig;
import net.dv8tion.jda.api.utils.Compression;
import net.dv8tion.jda.api.utils.FileUpload;
import net.dv8tion.jda.api.utils.SessionControllerAdapter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** JDA finds in the fake what it expects of Discord, over its API and over its gateway. */
class FakeDiscordCertificationTest {
    private static final String TOKEN = "certified-discord-token";

    private final FakeDiscord fake = new FakeDiscord(TOKEN, InstantSource.system());
    private final String ada = fake.person("ada");
    private final String guild = fake.guild("Parley");
    private final String channel = fake.channel(guild, "general");
    private final Heard heard = new Heard();
    private Optional<JDA> bot = Optional.empty();

    /** What JDA tells of. */
    private static final class Heard extends ListenerAdapter {
        final List<String> messages = new CopyOnWriteArrayList<>();
        final List<String> sessions = new CopyOnWriteArrayList<>();

        @Override
        public void onMessageReceived(MessageReceivedEvent event) {
            if (!event.getAuthor().isBot()) {
                Message message = event.getMessage();
                messages.add((event.isFromGuild() ? event.getGuild().getName() : "direct") + " "
                        + event.getChannelType() + " " + event.getAuthor().getEffectiveName() + ": "
                        + message.getContentRaw());
            }
        }

        @Override
        public void onSlashCommandInteraction(SlashCommandInteractionEvent event) {
            event.deferReply()
                    .flatMap(hook -> hook.editOriginal("done " + event.getFullCommandName() + " "
                            + event.getOptionsByName("text").get(0).getAsString()))
                    .queue();
        }

        @Override
        public void onButtonInteraction(ButtonInteractionEvent event) {
            event.deferEdit().queue(done -> messages.add("pressed " + event.getComponentId()));
        }

        @Override
        public void onSessionResume(SessionResumeEvent event) {
            sessions.add("resumed");
        }
    }

    @AfterEach
    void close() throws Exception {
        if (bot.isPresent()) {
            bot.get().shutdownNow();
            assertThat(bot.get().awaitShutdown(Duration.ofSeconds(60))).isTrue();
        }
        fake.close();
    }

    private JDA login(String token) throws Exception {
        JDA made = JDABuilder.createLight(
                        token,
                        GatewayIntent.GUILD_MESSAGES,
                        GatewayIntent.DIRECT_MESSAGES,
                        GatewayIntent.GUILD_MESSAGE_REACTIONS,
                        GatewayIntent.MESSAGE_CONTENT)
                .setRestConfig(new RestConfig().setBaseUrl(fake.address() + "/"))
                .setSessionController(new SessionControllerAdapter() {
                    @Override
                    public String getGateway() {
                        return fake.gatewayAddress() + "/";
                    }
                })
                .setCompression(Compression.NONE)
                .setEnableShutdownHook(false)
                .addEventListeners(heard)
                .build();
        bot = Optional.of(made);
        return made.awaitReady();
    }

    private static void until(BooleanSupplier holds) throws InterruptedException {
        Object nobody = new Object();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            synchronized (nobody) {
                nobody.wait(5);
            }
        }
    }

    @Test
    void aBotLogsInSeesItsGuildsAndHearsWhatIsSaidInEveryKindOfPlace() throws Exception {
        String forum = fake.forum(guild, "questions");
        String direct = fake.directChat(ada);
        JDA jda = login(TOKEN);
        fake.write(channel, ada, "one <@" + FakeDiscord.BOT + ">");
        String thread = fake.threadFrom(channel, ada, "more", fake.write(channel, ada, "two"));
        fake.write(thread, ada, "three");
        fake.post(forum, ada, "how?", "four");
        fake.write(direct, ada, "five");
        until(() -> heard.messages.size() == 5);

        assertThat(jda.getSelfUser().getId()).isEqualTo(FakeDiscord.BOT);
        assertThat(jda.getTextChannelById(channel))
                .extracting(TextChannel::getName)
                .isEqualTo("general");
        assertThat(jda.getThreadChannelById(thread).getParentChannel().getId()).isEqualTo(channel);
        assertThat(jda.getForumChannelById(forum).getType()).isEqualTo(ChannelType.FORUM);
        assertThat(heard.messages)
                .containsExactly(
                        "Parley TEXT Ada: one <@" + FakeDiscord.BOT + ">",
                        "Parley TEXT Ada: two",
                        "Parley GUILD_PUBLIC_THREAD Ada: three",
                        "Parley GUILD_PUBLIC_THREAD Ada: four",
                        "direct PRIVATE Ada: five");
    }

    @Test
    void aSessionIsResumedBehindACutAndWhereDiscordAsksForIt() throws Exception {
        login(TOKEN);
        fake.write(channel, ada, "before");
        until(() -> heard.messages.size() == 1);
        fake.dropConnections();
        fake.write(channel, ada, "during");
        until(() -> heard.messages.size() == 2);
        until(() -> heard.sessions.equals(List.of("resumed")));
        fake.askToReconnect();
        until(() -> heard.sessions.size() == 2);
        fake.write(channel, ada, "after");
        until(() -> heard.messages.size() == 3);

        assertThat(fake.resumed()).isEqualTo(2);
        assertThat(fake.identified()).isEqualTo(1);
        assertThat(heard.messages)
                .containsExactly("Parley TEXT Ada: before", "Parley TEXT Ada: during", "Parley TEXT Ada: after");
    }

    @Test
    void whatIsSentTwiceWithOneNonceIsOneMessageAndIsChangedReactedToAndFound() throws Exception {
        JDA jda = login(TOKEN);
        TextChannel general = jda.getTextChannelById(channel);
        String asked = fake.write(channel, ada, "hello");
        Message sent = general.sendMessage("hi")
                .setMessageReference(asked)
                .setNonce("once")
                .complete();
        Message again = general.sendMessage("hi").setNonce("once").complete();
        sent.editMessage("hi there").complete();
        general.addReactionById(asked, Emoji.fromUnicode("👀")).complete();
        general.sendTyping().complete();
        general.sendMessage("a file")
                .addFiles(FileUpload.fromData("all is well".getBytes(StandardCharsets.UTF_8), "r\u00e9port.txt"))
                .complete();

        assertThat(again.getId()).isEqualTo(sent.getId());
        assertThat(fake.shown(channel)).extracting(Shown::text).containsExactly("hi there", "a file");
        assertThat(fake.shown(channel).get(0).replyTo()).contains(asked);
        assertThat(fake.reactions(channel, asked)).containsExactly("👀");
        assertThat(fake.shown(channel).get(1).files()).containsExactly("r\u00e9port.txt");
        assertThat(general.getHistoryAfter(asked, 10).complete().getRetrievedHistory())
                .extracting(Message::getContentRaw)
                .containsExactly("a file", "hi there");
        assertThat(new String(
                        URI.create(general.getHistory()
                                        .retrievePast(1)
                                        .complete()
                                        .get(0)
                                        .getAttachments()
                                        .get(0)
                                        .getUrl())
                                .toURL()
                                .openStream()
                                .readAllBytes(),
                        StandardCharsets.UTF_8))
                .isEqualTo("all is well");
        sent.delete().complete();
        assertThat(fake.shown(channel)).hasSize(1);
    }

    @Test
    void commandsAndButtonsAreAnsweredInTime() throws Exception {
        JDA jda = login(TOKEN);
        jda.updateCommands()
                .addCommands(Commands.slash("new", "Begins anew").addOption(OptionType.STRING, "text", "what", false))
                .complete();
        assertThat(fake.commands().findValuesAsText("name")).contains("new");
        String interaction = fake.command(channel, ada, "new", "now");
        until(() -> fake.shown(channel).size() == 1);
        assertThat(fake.isAnswered(interaction)).isTrue();
        assertThat(fake.shown(channel)).extracting(Shown::text).containsExactly("done new now");
        Message question = jda.getTextChannelById(channel)
                .sendMessage("May I?")
                .setComponents(ActionRow.of(Button.primary("yes", "Yes"), Button.danger("no", "No")))
                .complete();
        assertThat(fake.shown(channel).get(1).buttons()).containsExactly("yes", "no");
        fake.press(channel, ada, question.getId(), "yes");
        until(() -> heard.messages.contains("pressed yes"));
    }

    @Test
    void limitsAndErrorsAreAnsweredAsDiscordAnswersThem() throws Exception {
        JDA jda = login(TOKEN);
        TextChannel general = jda.getTextChannelById(channel);
        fake.limit("POST /channels/{id}/messages", Duration.ofMillis(1_200));
        long before = System.nanoTime();
        general.sendMessage("late").complete();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(1_100));
        fake.keepLimits();
        general.sendMessage("on time").complete();
        assertThat(fake.calls("POST /channels/{id}/messages")).hasSize(3);
        fake.hide(channel);
        assertThatThrownBy(() -> general.sendMessage("no").complete())
                .isInstanceOfSatisfying(
                        ErrorResponseException.class,
                        failure -> assertThat(failure.getErrorResponse()).isEqualTo(ErrorResponse.MISSING_ACCESS));
    }

    @Test
    void aWrongTokenAndARefusedIntentAreTold() throws Exception {
        assertThatThrownBy(() -> login("another-token")).isInstanceOf(InvalidTokenException.class);
        fake.refuseIntents(1 << 15);
        assertThatThrownBy(() -> login(TOKEN)).isInstanceOf(IllegalStateException.class);
        until(() -> bot.orElseThrow().getStatus() == JDA.Status.SHUTDOWN);
        assertThat(fake.connections()).isZero();
    }
}
