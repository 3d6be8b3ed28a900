package org.example.shop;

import dev.parley.application.agents.BlockingAgents;
import dev.parley.application.port.AgentAnswer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** A shop whose customers ask it over Telegram. */
@SpringBootApplication
public class ShopApplication {
    /** Made by Spring. */
    public ShopApplication() {}

    /** Runs the shop until it is told to end. */
    public static void main(String[] arguments) {
        SpringApplication.run(ShopApplication.class, arguments);
    }

    // docs: agent
    /** Answers; with Spring AI on the class path a chat client would do so without a line. */
    @Bean
    BlockingAgents.Answering agent(Stock stock) {
        return turn -> AgentAnswer.text(
                stock.answer(turn.input().content().plainText(), turn.history().size()));
    }
    // docs: end
}
