//! Java and what builds it.

family! {
"
= mvn mvnw mvnd
~ writes connects words whole cache-any
- h!help help!help v!help version!help V show-version q quiet B batch-mode X debug e errors o offline U update-snapshots nsu no-snapshot-updates N non-recursive fae fail-at-end ff fail-fast fn fail-never am also-make amd also-make-dependents pl: projects:!text P: P^ activate-profiles: rf: resume-from: r resume T: T^ threads: C strict-checksums c lax-checksums npu npr up cpu ntp no-transfer-progress itr llr legacy-local-repository f:!dir file:!dir l:!write log-file:!write color: D: D^!@maven-property b:!ask builder:!ask
- s:!config settings:!config gs:!config global-settings:!config t:!config toolchains:!config gt:!config global-toolchains:!config emp: encrypt-master-password: ep: encrypt-password:
. deploy>publishes site-deploy>publishes release:>publishes @maven-goal*

= gradle gradlew
~ writes connects whole cache-any
- h|?|help!help v|version!help V|show-version q|quiet i|info d|debug w|warn s|stacktrace S|full-stacktrace x|exclude-task:!text P|project-prop: a|no-rebuild continue configure-on-demand no-configure-on-demand build-cache no-build-cache configuration-cache no-configuration-cache console: daemon no-daemon foreground stop status max-workers:!number m|dry-run offline parallel no-parallel priority: profile rerun-tasks scan!publishes no-scan t|continuous u no-watch-fs watch-fs warning-mode: write-verification-metadata: write-locks update-locks: refresh-dependencies refresh-keys export-keys F|dependency-verification: tests: no-problems-report problems-report console-unicode: non-interactive fail-fast all stacktrace info type: dsl: configuration: dependency: debug-jvm!daemon args: task: group:
- I|init-script:!code b|build-file:!config c|settings-file:!config g|gradle-user-home:!config p|project-dir:!dir include-build:!load D|system-prop:!@maven-property project-cache-dir:!write
. @build-task*

= javac
~ writes words whole project
- help!help version!help d:!write s:!write h:!write cp:!read classpath:!read class-path:!read sourcepath:!read source-path:!read p:!read module-path:!read module-source-path:!read source: target: release: encoding: g g^ nowarn verbose deprecation parameters Werror Xlint Xlint^ Xdoclint Xdoclint^ Xmaxerrs: Xmaxwarns: Xdiags^ implicit^ m: module: add-modules: add-exports: add-reads: enable-preview limit-modules: X
- processor:!load processorpath:!load processor-path:!load processor-module-path:!load proc^!@java-processing A^ J^!ask Xplugin^!load Xbootclasspath^!load bootclasspath:!load upgrade-module-path:!load system:!load extdirs:!load endorseddirs:!load patch-module:!load
. @>config @java-source*

= java
~ writes words whole leading interpreter
- version!help help!help h!help ? showversion show-version cp: classpath: class-path: p: module-path: jar:!script m:!script module:!script D^!@maven-property X^!@jvm-option XX^!@java-option ea ea^ enableassertions da da^ disableassertions esa dsa verbose verbose^ server client splash^ add-modules: add-exports: add-opens: add-reads: enable-preview enable-native-access: illegal-native-access: list-modules!help describe-module: d: validate-modules dry-run show-module-resolution source:!number d64 d32
- javaagent^!load agentlib^!load agentpath^!load upgrade-module-path:!load patch-module:!load J^!ask
. @>config script

= jar
~ writes bare whole
- help|h!help version!help c|create t|list x|extract!unpack u|update i|generate-index: d|describe-module validate C:!read f|file:!write e|main-class: m|manifest:!read M|no-manifest v|verbose n|normalize 0|no-compress p|module-path: release: module-version: hash-modules: P!ask date: dir:!write k keep-old-files
. @>config read*

= javap
- help!help version!help v|verbose l public protected package p|private c s sysinfo constants cp: classpath: bootclasspath: module:
. @>config read*

= jshell
~ input run

= kotlinc scalac scala-cli sbt
~ run

= ant
~ writes words whole project
- h!help help!help version!help p projecthelp diagnostics!help q quiet S silent v verbose d debug e emacs k keep-going noinput nouserlib noclasspath f:!config file:!config buildfile:!config find:!config s:!config lib:!load l:!write logfile:!write logger:!load listener:!load inputhandler:!load main:!load propertyfile:!config nice:!number autoproxy D^!@maven-property
. @name*


" examples "
+ ant
+ ant -q test
? ant -lib x
? ant -f y
? ant -Dx=/y test
+ mvn -q test
+ mvn -DskipTests package
+ mvn clean install -Pprod
+ mvn -B -ntp verify
? mvn exec:exec -Dexec.executable=x
? mvn exec:java
? mvn test spring-boot:run
? mvn verify versions:set
? mvn dependency:get
? mvn helm-push
+ mvn dependency:tree
+ mvn spotless:apply
? mvn -s f test
? mvn org.codehaus.mojo:exec-maven-plugin:exec
? mvn -Dmaven.ext.class.path=x test
+ gradle build
+ gradle build -x test
+ gradle -Pa=b --no-daemon test
+ gradlew test --tests x.Y
? gradle -I x build
? gradle --init-script x build
? gradle -qI x build
? gradle -g d build
? gradle --include-build x test
? gradle -Dorg.gradle.jvmargs=-javaagent:x build
+ javac X.java
+ javac -d out -cp lib/x.jar src/X.java
? javac @args
? javac -processorpath x Y.java
? javac -processor x Y.java
? javac -Xplugin:x Y.java
? javac -J-javaagent:x Y.java
+ java -jar x.jar
+ java -Xmx2g -jar x.jar -javaagent:y
+ java -cp out Main
+ java -version
? java -javaagent:x -jar y
? java -XX:OnError=x -jar y
? java -XX:OnOutOfMemoryError=x Main
? java -agentlib:x Main
? java -agentpath:x Main
? java @args
? java -Xbootclasspath/a:x Main
? java -Xrunjdwp:x Main
? jshell x
? kotlinc -script x
+ jar tf x.jar
+ jar cf x.jar -C out .
? jar @args
? jar xfP x.jar
? jar -xPf x.jar
";
}
