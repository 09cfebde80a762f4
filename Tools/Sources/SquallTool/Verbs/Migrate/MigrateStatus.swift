import ArgumentParser
import Foundation
import Squall

struct MigrateStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Lists the versions, and which of them the database has run.",
        discussion: "Ends with 1 if a version is pending, was skipped, or was edited after it ran."
    )

    @OptionGroup
    var source: DatabaseArgument

    @OptionGroup
    var files: MigrationFolder

    @Option(help: "How the versions are printed.")
    var format: OutputFormat = .table

    func run() throws {
        let schema = try files.read()
        let versions = try source.database.use { try MigrationState.all(of: schema, on: $0) }
        let output = Output()
        try output.flushing {
            let rows = versions.map { [$0.version, $0.file, $0.state, $0.date] }
            try output.write(rows, columns: ["version", "file", "state", "applied"], as: format)
        }
        if versions.contains(where: \.needsAttention) { throw ExitCode.no }
    }
}

/// A version of a folder or of a database, and whether it has run.
private struct MigrationState {
    enum State: String {
        case applied, pending, skipped, edited
        /// The database has run the version, and the folder does not have it.
        case unknown
    }

    let number: Int
    let fileName: String?
    let value: State
    let appliedAt: Date?

    var version: Cell { .integer(Int64(number)) }
    var file: Cell { fileName.map { .text($0) } ?? .null }
    var state: Cell { .text(value.rawValue) }
    var date: Cell { appliedAt.map { .text(bindingDateFormatter.string(from: $0)) } ?? .null }
    var needsAttention: Bool { value != .applied }

    static func all(of schema: Schema, on connection: Connection) throws -> [MigrationState] {
        let status = try schema.status(of: connection)
        let applied = Dictionary(uniqueKeysWithValues: status.applied.map { ($0.version, $0) })
        let known = schema.versions.map { version in
            MigrationState(
                number: version.number, fileName: version.file,
                value: state(of: version.number, status, applied[version.number]),
                appliedAt: applied[version.number]?.date
            )
        }
        let numbers = Set(schema.versions.map(\.number))
        let unknown = status.applied.filter { !numbers.contains($0.version) }.map {
            MigrationState(number: $0.version, fileName: nil, value: .unknown, appliedAt: $0.date)
        }
        return (known + unknown).sorted { $0.number < $1.number }
    }

    private static func state(of number: Int, _ status: SchemaStatus, _ applied: SchemaStatus.Applied?) -> State {
        if status.pending.contains(number) { return .pending }
        if status.skipped.contains(number) { return .skipped }
        return applied?.isEdited == true ? .edited : .applied
    }
}
