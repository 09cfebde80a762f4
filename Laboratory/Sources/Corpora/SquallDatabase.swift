import Squall

/// Runs statements with Squall.
final class SquallDatabase {
    private let connection: Connection

    init() throws {
        connection = try Connection(":memory:", configuration: .sqlite)
    }

    /// Runs one statement.
    ///
    /// - Parameter isInterrupted: Whether to interrupt the statement after the limit of instructions, which has interrupted SQLite.
    ///   SQLite counts the instructions of each statement, and Squall those of all, such as the statements that a trigger or a
    ///   virtual table runs.
    func run(_ sql: String, isInterrupted: Bool) throws -> Outcome {
        var outcome = Outcome()
        if isInterrupted {
            try connection.progressHandler(every: Int(CDatabase.maximumInstructions)) { .interrupt }
        }
        defer { if isInterrupted { try? connection.progressHandler(nil) } }
        do {
            let statement = try connection.prepare(SQL(raw: sql))
            try statement.forEach { row in
                outcome.rowCount += 1
                if outcome.rows.count < Outcome.maximumRowCount {
                    outcome.rows.append(row.columns.map { Self.value($0.bindingValue) })
                }
            }
        } catch let error as SQLiteError {
            outcome.failure = Outcome.Failure(code: error.extendedCode, message: error.message)
        }
        return outcome
    }

    private static func value(_ value: BindingValue) -> Value {
        switch value {
        case .null: .null
        case .integer(let integer): .integer(integer)
        case .real(let real): .real(real.bitPattern)
        case .text(let text): .text(Array(text.utf8))
        case .blob(let data), .malformedText(let data): .blob(Array(data))
        }
    }
}
