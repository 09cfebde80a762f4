import ArgumentParser
import SquallCluster

/// The database that a command copies.
struct DatabaseOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: "The name of the database.")
    var database: String

    func validate() throws {
        if database.isEmpty || database.utf8.contains(0) { throw ValidationError("The database has no name.") }
    }
}

struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies a database of a cluster into a file, and checks the file.")

    @OptionGroup var source: DatabaseOptions

    @OptionGroup var cluster: ClusterOptions

    @Flag(help: "Replace the file if it exists.")
    var replace = false

    @Argument(help: "The file.", completion: .file())
    var file: String

    func run() async throws {
        try await Failure.report {
            // A database comes in one message.
            let leader = try await cluster.administration(maximumMessageSize: 16 << 30).connectToLeader()
            let report = try await leader.exportDatabase(source.database, to: file, replacing: replace)
            await leader.close()
            print(report.text)
        }
    }
}

struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies a file into a database of a cluster, and compares all rows.",
        discussion: "A restore that fails leaves a part of the file in the database; repeat it with --replace.")

    @OptionGroup var target: DatabaseOptions

    @OptionGroup var cluster: ClusterOptions

    @Flag(help: "Drop the tables and views that the database has.")
    var replace = false

    @Argument(help: "The file.", completion: .file())
    var file: String

    func run() async throws {
        try await Failure.report {
            let leader = try await cluster.administration().connectToLeader()
            try await leader.open(target.database)
            let report = try await leader.importDatabase(from: file, replacing: replace)
            await leader.close()
            print(report.text)
        }
    }
}

extension TransferReport {
    /// The number of rows of each table and of all.
    fileprivate var text: String {
        let tables = rows.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return (tables + ["\(rowCount) rows in \(rows.count) tables"]).joined(separator: "\n")
    }
}
