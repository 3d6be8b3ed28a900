// The same build for Gradle 8: ./gradlew run --args=HOME. Parley's own build runs Maven only and compares this file with pom.xml.
plugins {
    application
}

group = "org.example"
version = "1.0.0"

repositories {
    mavenCentral()
    mavenLocal()
}

dependencies {
    implementation(platform("dev.parley:parley-bom:0.1.0-SNAPSHOT"))
    implementation("dev.parley:parley-application")
    implementation("dev.parley:parley-home")
    runtimeOnly("dev.parley:parley-persistence-sqlite")
    runtimeOnly("dev.parley:parley-persistence-jsonl")
    testImplementation("dev.parley:parley-testing")
    testImplementation("dev.parley:parley-fakes")
    testImplementation("dev.parley:parley-adapter-http")
    testImplementation("dev.parley:parley-adapter-openai")
    testImplementation("org.junit.jupiter:junit-jupiter:5.14.4")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher:1.14.4")
}

java {
    toolchain {
        languageVersion = JavaLanguageVersion.of(17)
    }
}

application {
    mainModule = "org.example.desk"
    mainClass = "org.example.desk.Main"
}

tasks.named<JavaExec>("run") {
    standardInput = System.`in`
}

tasks.test {
    useJUnitPlatform()
}
