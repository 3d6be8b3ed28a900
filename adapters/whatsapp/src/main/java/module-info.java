import org.jspecify.annotations.NullMarked;

/** WhatsApp for personal accounts, over a bridge in Node.js. */
@NullMarked
module dev.parley.adapter.whatsapp {
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires dev.parley.adapter.kit;
    requires dev.parley.application;
    requires static org.jspecify;

    provides dev.parley.application.spi.PlatformProvider with
            dev.parley.adapter.whatsapp.WhatsAppProvider;
}
