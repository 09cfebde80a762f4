import Squall

/// Work with a database that is repeated with a fault at each of its points.
///
/// After a fault, the file must be as after the last step that has returned: each step is atomic. What the steps read,
/// they compare with what they expect, and throw ``WrongResult`` for anything else.
protocol Scenario: Sendable {
    /// The open connection, database or object that the steps use.
    associatedtype Store

    /// The name in the table of the lane.
    var name: String { get }

    /// The journal mode in which the steps write.
    var journalMode: Configuration.JournalMode { get }

    /// The names of the database files. The first one is the main file.
    var files: [String] { get }

    /// Creates the main file, without a fault. The lane adds a table `probe` to it.
    func prepare(_ connection: Connection) throws

    /// Opens the store, during the fault.
    func open(_ folder: String) async throws -> Store

    /// The steps, which run during the fault, until one throws.
    var steps: [Step<Store>] { get }

    /// Uses the store when the fault has ended. It must work, whatever has failed before.
    func use(_ store: Store, after fault: Fault) async throws

    /// Closes the store.
    func close(_ store: Store) async throws

    /// Returns what is wrong with the content of the files after a fault; `nil` if nothing is.
    ///
    /// The default allows the content after the last step that has returned, and no other.
    func problem(in content: [String], _ progress: Progress) -> String?

    /// Whether an error that a step throws during a fault is one that the caller expects.
    ///
    /// The default is an error of SQLite whose code fits the fault.
    func expects(_ error: any Error, _ fault: Fault, _ failedCall: String) -> Bool
}

/// An atomic change, or a read, of a scenario.
struct Step<Store> {
    let run: (Store) async throws -> Void
    /// Whether the step may throw when its change is committed.
    let throwsAfterCommit: Bool

    init(throwsAfterCommit: Bool = false, _ run: @escaping (Store) async throws -> Void) {
        self.throwsAfterCommit = throwsAfterCommit
        self.run = run
    }
}

/// How far a scenario came before the fault ended it.
struct Progress {
    /// The number of steps that have returned.
    var completedSteps = 0
    /// The content before the first step, and after each of them, in a run without a fault.
    var expected: [[String]]
    /// Whether the step that has thrown may be committed all the same.
    var mayBeCommitted = false
    /// Whether the store was used when the fault had ended. Otherwise it was closed while the fault lasted.
    var isUsedAfterwards = false
    let fault: Fault

    /// Returns how a content differs from that after the last step that has returned.
    func problem(in content: [String]) -> String? {
        if content == expected[completedSteps] { return nil }
        if mayBeCommitted, completedSteps + 1 < expected.count, content == expected[completedSteps + 1] { return nil }
        if let other = expected.firstIndex(of: content) {
            return "\(completedSteps) steps have returned, but the file is as after step \(other)"
        }
        let known = Set(expected[completedSteps])
        let changed = content.filter { !known.contains($0) }
        return "\(completedSteps) steps have returned, and the file has \(changed.prefix(3)) beside what it should have"
    }
}

/// A value that is not the expected one: data that was lost without an error.
struct WrongResult: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Throws ``WrongResult`` if two values differ.
func expect<Value: Equatable>(
    _ found: Value, _ expected: Value, _ subject: String = "value", line: UInt = #line
) throws {
    if found != expected { throw WrongResult("\(subject) in line \(line) is \(found), not \(expected)") }
}

extension Scenario {
    var journalMode: Configuration.JournalMode { .wal }

    var files: [String] { ["main.db"] }

    func problem(in content: [String], _ progress: Progress) -> String? {
        progress.problem(in: content)
    }

    func expects(_ error: any Error, _ fault: Fault, _ failedCall: String) -> Bool {
        fault.codes(failedCall).contains { $0 ~= error }
    }
}

extension Configuration {
    /// The recommended configuration, with a short busy timeout: a lock that is left behind is a violation.
    static func laboratory(_ journalMode: JournalMode? = .wal) -> Configuration {
        var configuration = Configuration.recommended
        configuration.journalMode = journalMode
        configuration.busyTimeout = .milliseconds(300)
        return configuration
    }
}
