package dev.parley.browser;

/** A form in which a page is looked at. */
enum Form {
    LIGHT(1200, 900, "light"),
    DARK(1200, 900, "dark"),
    PHONE(390, 844, "light");

    final int width;
    final int height;
    final String scheme;

    Form(int width, int height, String scheme) {
        this.width = width;
        this.height = height;
        this.scheme = scheme;
    }
}
