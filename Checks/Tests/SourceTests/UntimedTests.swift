import Foundation
import Testing

/// Tests that use threads, tasks, processes or the clock are in SquallTimedTests, where they run one at a time and wait for events.
struct UntimedTests {
    /// The text of a file without its strings and comments, with its lines.
    private static func code(_ file: Repository.File) -> String {
        file.text
            .replacing(/"""[\s\S]*?"""/) { String(repeating: "\n", count: $0.0.count { $0 == "\n" }) }
            .replacing(/#+"[^\n]*?"#+/, with: "")
            .replacing(/"(?:\\.|[^"\\\n])*"/, with: "")
            .replacing(/\/\/.*/, with: "")
            // The default of a column, which is the clock of SQLite when a row is inserted.
            .replacing(".default(.now)", with: "")
    }

    /// Returns the places of a pattern: `SQL/ListTests.swift:7: Date()`.
    private static func places(of pattern: Regex<Substring>, in file: Repository.File) -> [String] {
        let code = code(file)
        return code.matches(of: pattern).map { match in
            let line = code[..<match.range.lowerBound].count { $0 == "\n" } + 1
            return "\(file.path):\(line): \(match.0)"
        }
    }

    // MARK: Targets without threads and clocks

    static let untimedTargets = [
        "SquallBaseTests", "SquallTests", "SquallChangesTests", "SquallSearchTests", "SquallStoreTests",
        "SQLFilesTests", "LifetimeTests",
        "MainActorTests", "SQiftCompatibilityTests",
        "SQLiteORMCompatibilityTests",
        "DocumentationTests",
    ]

    private static var threads: Regex<Substring> {
        /\b(?:Thread|pthread_\w+|Dispatch[A-Z]\w+|OperationQueue|concurrentPerform)\b/
    }
    private static var tasks: Regex<Substring> {
        /\b(?:Task|with\w*TaskGroup|async let|withUnsafeCurrentTask|withTaskCancellationHandler)\b/
    }
    // A test of a trap runs in a process of its own by `processExitsWith`, and waits for its end.
    private static var processes: Regex<Substring> { /\b(?:Process|posix_spawnp?|fork|waitpid)\b/ }
    private static var clocks: Regex<Substring> {
        /\b(?:ContinuousClock|SuspendingClock|clock_gettime|gettimeofday|systemUptime|timeIntervalSinceNow)\b/
    }
    private static var dates: Regex<Substring> { /\bDate\(\)|\.now\b|\bDate\(timeIntervalSinceNow/ }

    @Test(arguments: untimedTargets) func noTestUsesThreadsTasksProcessesOrTheClock(_ target: String) {
        let files = Repository.files(in: "Tests/\(target)", ".swift")
        #expect(!files.isEmpty)
        for file in files {
            for pattern in [Self.threads, Self.tasks, Self.processes, Self.clocks] {
                #expect(Self.places(of: pattern, in: file) == [], "it belongs to SquallTimedTests")
            }
            // The pages of the documentation show programs, which store the present date.
            if target != "DocumentationTests" { #expect(Self.places(of: Self.dates, in: file) == []) }
        }
    }

    // MARK: All targets

    /// The pause between two looks of `until`, and the test of Squall's own pause.
    private static let pauses = [
        "Tests/SquallTimedTests/Support/Gate.swift", "Tests/SquallTimedTests/Connection/WaitingTests.swift",
    ]

    @Test func noTestSleeps() {
        for file in Repository.files(in: "Tests", ".swift") where !Self.pauses.contains(file.path) {
            #expect(Self.places(of: /\b(?:sleep|usleep|nanosleep|sleepThread)\b/, in: file) == [])
        }
    }

    // MARK: Timed tests

    /// The types of a file that have tests, and whether a time limit stands before their declaration or that of a type around them.
    private static func suites(in file: Repository.File) -> [String: Bool] {
        var suites: [String: Bool] = [:]
        var limited: Set<String> = []
        var types: [(indentation: Int, name: String)] = []
        var attributes = ""
        let declaration =
            /^ *(?:@.*\) )?(?:@MainActor )?(?:private |final )*(?:struct|class|actor|enum|extension) (\w+)/
        for line in code(file).split(separator: "\n", omittingEmptySubsequences: false) {
            let indentation = line.prefix { $0 == " " }.count
            if let match = line.firstMatch(of: declaration) {
                types.removeAll { $0.indentation >= indentation }
                types.append((indentation, String(match.1)))
                if (attributes + line).contains(".timeLimit(.minutes(") { limited.insert(String(match.1)) }
            }
            if line.contains("@Test") {
                let around = types.filter { $0.indentation < indentation }
                suites[around.last?.name ?? file.path] = around.contains { limited.contains($0.name) }
            }
            // The arguments of an attribute may take several lines.
            let goesOn = attributes.count { $0 == "(" } > attributes.count { $0 == ")" }
            attributes = goesOn || line.contains("@Suite") ? attributes + line : ""
        }
        return suites
    }

    private static let timedFiles = Repository.files(in: "Tests/SquallTimedTests", ".swift")

    @Test func everyTimedSuiteHasATimeLimit() {
        let suites = Self.timedFiles.flatMap { Self.suites(in: $0) }
        #expect(suites.count > 50)
        #expect(suites.filter { !$0.value }.map(\.key) == [])
    }

    /// The only upper bound of a duration is a time limit.
    @Test func noTimedTestExpectsThatItWasFast() {
        let bound = /\b(?:start|before|duration|elapsed|time)\)? <=?\s/
        for file in Self.timedFiles { #expect(Self.places(of: bound, in: file) == []) }
    }
}
