import Foundation
import Rainbow
import Squall

/// The connection of a shell, and how it prints rows.
final class ShellSession {
    let connection: Connection
    let file: String
    let isWritable: Bool
    var format: OutputFormat
    /// Whether a person reads the output, who is told how many rows a statement has changed.
    var isInteractive = false

    init(_ connection: Connection, file: String, isWritable: Bool, format: OutputFormat) {
        self.connection = connection
        self.file = file
        self.isWritable = isWritable
        self.format = format
        // With a schema that is not loaded, SQLite reports an unknown column as SQLITE_SCHEMA. A schema that cannot be loaded is
        // an error of the first statement.
        _ = try? connection.storedEntries()
    }

    /// Runs a statement, which ^C interrupts, and prints its rows.
    func run(_ sql: String) throws {
        try Interruption.handling([SIGINT]) { interruption in
            try interruption.interrupting(connection) {
                try print(connection.prepare(SQL(raw: sql)), until: interruption)
            }
        }
    }

    private func print(_ statement: Statement, until interruption: Interruption) throws {
        guard isWritable || statement.isReadOnly || statement.columnCount > 0 else { throw refusal }
        let output = Output()
        let changesBefore = connection.totalChanges
        try output.flushing {
            var hasRow = try statement.step()
            var rows = try format.rowFormat.init(columns: statement.columnNames, output: output)
            while hasRow {
                try rows.write(statement.row?.cells ?? [])
                hasRow = try statement.step()
            }
            try interruption.check()
            if statement.columnCount > 0 { try rows.finish() }
            if isInteractive, connection.totalChanges > changesBefore {
                try output.write("\(connection.changes.counted("row")) changed".dim + "\n")
            }
        }
    }

    private var refusal: Failure {
        Failure(
            "\(file): the SQL writes, and the database is opened read-only (SQLITE_READONLY)", exitCode: .noPermission,
            hint: "start the shell with --write"
        )
    }

    /// Prints rows that a command has.
    func print(_ rows: [[Cell]], columns: [String]) throws {
        let output = Output()
        try output.write(rows, columns: columns, as: format)
        try output.flush()
    }

    /// Rolls an open transaction back, and says so.
    func rollBack() {
        guard connection.isInTransaction else { return }
        try? connection.execute("ROLLBACK")
        Console.printError("note: the open transaction was rolled back")
    }
}
