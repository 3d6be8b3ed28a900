/** A gateway made from chosen modules: SQLite, a platform of its own and an agent of its own. */
module org.example.desk {
    requires dev.parley.application;
    requires dev.parley.home;
}
