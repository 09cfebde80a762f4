import Squall
import SquallEncryption

/// Copies databases with SQLite's online backup, with a progress bar and until ^C.
enum Copying {
    /// The number of pages of a step: some megabytes, so that a source that is being written to is seldom copied again.
    private static let pagesPerStep: Int32 = 1000

    /// Copies a whole database. If it fails or is interrupted, the destination is unchanged.
    static func copy(
        _ source: Connection, to destination: Connection, title: String, until interruption: Interruption
    ) throws {
        var bar = ProgressBar(title)
        defer { bar.clear() }
        try source.backup(to: destination, pagesPerStep: pagesPerStep).run { progress in
            if progress.remaining > 0 { try interruption.check() }
            bar.update(
                progress.fractionCompleted, "\(progress.completed.grouped) of \(progress.total.counted("page"))"
            )
        }
    }

    /// Checks a database as `PRAGMA quick_check` does, which compares no index with its table.
    static func check(
        _ connection: Connection, title: String, until interruption: Interruption
    ) throws -> IntegrityReport {
        var bar = ProgressBar(title)
        bar.update(nil)
        defer { bar.clear() }
        return try interruption.interrupting(connection) { try connection.integrityReport(isQuick: true, maxErrors: 1) }
    }

    /// Runs a closure that copies one file to another, and names both in SQLite's errors, which do not say which one it was.
    static func naming<Result>(_ source: String, _ destination: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch {
            throw Failure(error, file: "copying '\(source)' to '\(destination)'") ?? error
        }
    }
}

extension NewDatabaseFile {
    /// Copies a database to the new file.
    func copy(_ source: Connection, title: String, until interruption: Interruption) throws {
        let configuration = Configuration.sqlite.with(source.configuration.encryption)
        let copy = try Connection(temporaryPath, mode: .existing, configuration: configuration).withExtensions()
        defer { copy.close() }
        // The file is deleted if the copy fails, and flushed when it is complete.
        try copy.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        try Copying.copy(source, to: copy, title: title, until: interruption)
    }

    /// Checks the copy of a database.
    ///
    /// - Parameters:
    ///   - encryption: The key of the copy.
    ///   - verb: The verb, for the progress bar.
    /// - Returns: The result, which has no problem.
    func verify(
        _ source: Connection, _ sourcePath: String, _ encryption: Encryption?, verb: String,
        until interruption: Interruption
    ) throws -> IntegrityReport {
        // No other process has the name of the file, so it can be read without locks and without files beside it.
        let configuration = Configuration.sqlite.with(encryption)
        let copy = try Connection(temporaryPath, mode: .immutable, configuration: configuration).withExtensions()
        defer { copy.close() }
        let report = try Copying.check(copy, title: "\(verb)  checking the copy", until: interruption)
        if let problem = report.problems.first {
            let title = "\(verb)  checking the original"
            if let damage = try Copying.check(source, title: title, until: interruption).problems.first {
                throw Failure("\(sourcePath): the database is damaged: \(damage.onOneLine)", exitCode: .badInput)
            }
            throw Failure("\(path): the copy is damaged: \(problem.onOneLine)", exitCode: .ioError)
        }
        return report
    }
}

extension IntegrityReport {
    /// The end of the line about a copy: `, checked except for b, which needs the function slug of its program`.
    var summary: String {
        let parts = unchecked.map { "\($0.table.sqlName) (\($0.missing))" }
        return parts.isEmpty
            ? ", checked"
            : ", checked except for what only its program knows: " + parts.joined(separator: ", ").printable
    }
}
