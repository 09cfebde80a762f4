import Squall

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
    ///
    /// - Returns: The first problem, if there is one.
    static func problem(in connection: Connection, title: String, until interruption: Interruption) throws -> String? {
        var bar = ProgressBar(title)
        bar.update(nil)
        defer { bar.clear() }
        return try interruption.interrupting(connection) { try connection.quickCheck(maxErrors: 1) }.first
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
        let copy = try Connection(temporaryPath, mode: .existing, configuration: .sqlite).withExtensions()
        defer { copy.close() }
        // The file is deleted if the copy fails, and flushed when it is complete.
        try copy.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        try Copying.copy(source, to: copy, title: title, until: interruption)
    }

    /// Checks the copy of a database.
    func verify(_ source: Connection, _ sourcePath: String, title: String, until interruption: Interruption) throws {
        // Nobody else knows the file, so it can be read without locks and without files beside it.
        let copy = try Connection(temporaryPath, mode: .immutable, configuration: .sqlite).withExtensions()
        defer { copy.close() }
        if let problem = try Copying.problem(in: copy, title: title, until: interruption) {
            let title = "backup  checking the original"
            if let damage = try Copying.problem(in: source, title: title, until: interruption) {
                throw Failure("\(sourcePath): the database is damaged: \(damage.onOneLine)", exitCode: .badInput)
            }
            throw Failure("\(path): the copy is damaged: \(problem.onOneLine)", exitCode: .ioError)
        }
    }
}
