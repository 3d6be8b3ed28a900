package dev.parley.browser;

/**
 * What the tests share: one browser, and one gateway that has been at work for some days.
 *
 * @param browser the browser
 * @param gateway the gateway
 */
record Stage(Browser browser, LiveGateway gateway) {
    /** Opens a page of the console and logs in where it asks. */
    void open(String path, String token) {
        browser.open(gateway.address().resolve("/console" + path).toString());
        if (!browser.all("#login").isEmpty()) {
            browser.logIn(token);
        }
        browser.until("the page is there", () -> !browser.all("header nav").isEmpty());
    }

    /** Opens a page of the console as an operator. */
    void open(String path) throws Exception {
        open(path, gateway.token());
    }
}
