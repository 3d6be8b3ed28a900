import org.jspecify.annotations.NullMarked;

/** WhatsApp for businesses, by Meta's Cloud API. */
@NullMarked
module dev.parley.adapter.whatsappcloud {
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires dev.parley.adapter.kit;
    requires dev.parley.application;
    requires java.net.http;
    requires org.eclipse.jetty.http;
    requires org.eclipse.jetty.io;
    requires org.eclipse.jetty.server;
    requires org.eclipse.jetty.util;
    requires static org.jspecify;

    provides dev.parley.application.spi.PlatformProvider with
            dev.parley.adapter.whatsappcloud.WhatsAppCloudProvider;
}
