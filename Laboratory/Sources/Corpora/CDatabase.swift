import LaboratorySQLite

/// Runs scripts with SQLite's C functions.
final class CDatabase {
    /// After so many instructions of SQLite's virtual machine a statement is interrupted.
    static let maximumInstructions: Int32 = 2_000_000

    private let handle: OpaquePointer

    init() throws {
        var made: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE
        guard sqlite3_open_v2(":memory:", &made, flags, nil) == SQLITE_OK, let made else {
            throw CorporaError.noDatabase
        }
        handle = made
        sqlite3_progress_handler(handle, Self.maximumInstructions, { _ in 1 }, nil)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// Runs the statements of a script until one fails.
    func run(_ script: String) -> [Step] {
        var steps: [Step] = []
        script.withCString { start in
            var rest: UnsafePointer<CChar>? = start
            while let text = rest, text.pointee != 0 {
                var statement: OpaquePointer?
                var tail: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v2(handle, text, -1, &statement, &tail)
                defer { sqlite3_finalize(statement) }
                if code != SQLITE_OK {
                    // SQLite does not report where a statement with an error ends.
                    steps.append(Step(sql: String(cString: text), outcome: Outcome(failure: failure(code))))
                    return
                }
                rest = tail
                let sql = tail.map {
                    String(decoding: UnsafeRawBufferPointer(start: text, count: $0 - text), as: UTF8.self)
                }
                // A comment.
                guard let statement else { continue }
                // The scripts bind variables of Tcl.
                if sqlite3_bind_parameter_count(statement) > 0 { continue }
                let outcome = outcome(of: statement)
                steps.append(Step(sql: sql ?? "", outcome: outcome))
                if outcome.failure != nil { return }
            }
        }
        return steps
    }

    private func outcome(of statement: OpaquePointer) -> Outcome {
        var outcome = Outcome()
        while true {
            let code = sqlite3_step(statement)
            switch code {
            case SQLITE_ROW:
                outcome.rowCount += 1
                if outcome.rows.count < Outcome.maximumRowCount {
                    outcome.rows.append((0..<sqlite3_column_count(statement)).map { value(statement, $0) })
                }
            case SQLITE_DONE: return outcome
            default:
                outcome.failure = failure(code)
                return outcome
            }
        }
    }

    private func value(_ statement: OpaquePointer, _ column: Int32) -> Value {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column).bitPattern)
        case SQLITE_NULL: return .null
        case SQLITE_TEXT:
            let start = sqlite3_column_text(statement, column)
            let bytes = Array(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
            return String(validating: bytes, as: UTF8.self) == nil ? .blob(bytes) : .text(bytes)
        default:
            let start = sqlite3_column_blob(statement, column)
            return .blob(
                Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))))
        }
    }

    private func failure(_ code: Int32) -> Outcome.Failure {
        Outcome.Failure(code: code, message: String(cString: sqlite3_errmsg(handle)))
    }
}

enum CorporaError: Error {
    case noDatabase
}
