import Foundation
import Testing

/// Tests that use threads, tasks, processes or the clock are in SquallTimedTests, where they run one at a time and wait for events.
struct UntimedTests {
    private static let tests = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Tests")

    /// Paths in `Tests` that end so.
    private static func paths(in folder: String, _ ending: String = ".swift") -> [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: tests.appending(path: folder).path)) ?? []
        return paths.filter { $0.hasSuffix(ending) }.sorted().map { "\(folder)/\($0)" }
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: tests.appending(path: path), encoding: .utf8)
    }

    /// The text of a file without its strings and comments, with its lines.
    private static func code(_ path: String) throws -> String {
        try text(path)
            .replacing(/"""[\s\S]*?"""/) { String(repeating: "\n", count: $0.0.count { $0 == "\n" }) }
            .replacing(/#+"[^\n]*?"#+/, with: "")
            .replacing(/"(?:\\.|[^"\\\n])*"/, with: "")
            .replacing(/\/\/.*/, with: "")
    }

    /// Returns the places of a pattern: `SQL/ListTests.swift:7: Date()`.
    private static func places(of pattern: Regex<Substring>, in path: String) throws -> [String] {
        let code = try code(path)
        return code.matches(of: pattern).map { match in
            let line = code[..<match.range.lowerBound].count { $0 == "\n" } + 1
            return "\(path):\(line): \(match.0)"
        }
    }

    // MARK: Targets without threads and clocks

    static let untimedTargets = [
        "SquallTests", "SQLFilesTests", "LifetimeTests", "MainActorTests", "SQiftCompatibilityTests",
        "DocumentationTests",
    ]

    private static let threads = /\b(?:Thread|pthread_\w+|Dispatch[A-Z]\w+|OperationQueue|concurrentPerform)\b/
    private static let tasks =
        /\b(?:Task|with\w*TaskGroup|async let|withUnsafeCurrentTask|withTaskCancellationHandler)\b/
    // A test of a trap runs in a process of its own by `processExitsWith`, and waits for its end.
    private static let processes = /\b(?:Process|posix_spawnp?|fork|waitpid)\b/
    private static let clocks =
        /\b(?:ContinuousClock|SuspendingClock|clock_gettime|gettimeofday|systemUptime|timeIntervalSinceNow)\b/
    private static let dates = /\bDate\(\)|\.now\b|\bDate\(timeIntervalSinceNow/

    @Test(arguments: untimedTargets) func noTestUsesThreadsTasksProcessesOrTheClock(_ target: String) throws {
        let paths = Self.paths(in: target)
        #expect(!paths.isEmpty)
        for path in paths {
            for pattern in [Self.threads, Self.tasks, Self.processes, Self.clocks] {
                #expect(try Self.places(of: pattern, in: path) == [], "it belongs to SquallTimedTests")
            }
            // The pages of the documentation show programs, which store the present date.
            if target != "DocumentationTests" { #expect(try Self.places(of: Self.dates, in: path) == []) }
        }
    }

    // MARK: All targets

    /// The pause between two looks of `until`, and the test of Squall's own pause.
    private static let pauses = [
        "SquallTimedTests/Support/Gate.swift", "SquallTimedTests/Connection/WaitingTests.swift",
    ]

    @Test func noTestSleeps() throws {
        for path in Self.paths(in: "") where !Self.pauses.contains(String(path.dropFirst())) {
            #expect(try Self.places(of: /\b(?:sleep|usleep|nanosleep|sleepThread)\b/, in: path) == [])
        }
    }

    // MARK: Timed tests

    /// The types of a file that have tests, and whether a time limit stands before their declaration.
    private static func suites(in path: String) throws -> [String: Bool] {
        var (suites, limited, type, attributes): ([String: Bool], Set<String>, String, String) = ([:], [], "", "")
        for line in try code(path).split(separator: "\n", omittingEmptySubsequences: false) {
            if let match = line.firstMatch(
                of: /^ {0,4}(?:@.*\) )?(?:@MainActor )?(?:private |final )*(?:struct|class|actor|enum|extension) (\w+)/)
            {
                type = String(match.1)
                if (attributes + line).contains(".timeLimit(.minutes(") { limited.insert(type) }
            }
            if line.contains("@Test") { suites[type] = limited.contains(type) }
            attributes = line.contains("@Suite") ? attributes + line : ""
        }
        return suites
    }

    @Test func everyTimedSuiteHasATimeLimit() throws {
        let paths = Self.paths(in: "SquallTimedTests")
        let suites = try paths.flatMap { try Self.suites(in: $0) }
        #expect(suites.count > 50)
        #expect(suites.filter { !$0.value }.map(\.key) == [])
    }

    /// The only upper bound of a duration is a time limit.
    @Test func noTimedTestExpectsThatItWasFast() throws {
        let bound = /\b(?:start|before|duration|elapsed|time)\)? <=?\s/
        for path in Self.paths(in: "SquallTimedTests") { #expect(try Self.places(of: bound, in: path) == []) }
    }
}
