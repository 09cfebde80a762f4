import LaboratorySupport
import Squall

/// A folder that cannot be written: reads work or throw, writes throw, and the file stays as it is.
struct ReadOnlyFolder: Surrounding {
    var name: String { "read-only folder" }
    var mountsFolders: Bool { true }

    func run(_ folder: ScratchFolder, _ report: Report) async throws {
        for mode in [Configuration.JournalMode.delete, .wal] {
            let path = try folder.emptyFolder("written")
            let database = try Database("\(path)/main.db", configuration: .laboratory(mode))
            try await database.write { try $0.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)") }
            try await database.close()
            let shown = try folder.emptyFolder("shown")
            let mount = try Mount(readOnly: path, at: shown)
            defer { mount.unmount() }
            try tryModes("\(shown)/main.db", mode, report)
        }
    }

    private func tryModes(_ path: String, _ journal: Configuration.JournalMode, _ report: Report) throws {
        for mode in [Connection.Mode.create, .existing, .readOnly, .immutable] {
            report.point()
            do {
                let connection = try Connection(path, mode: mode, configuration: .laboratory(nil))
                defer { connection.close() }
                let count: Int = try connection.query("SELECT count(*) FROM t")
                report.check(count == 1, "\(count) rows in mode \(mode)")
                do {
                    try connection.run("INSERT INTO t VALUES(2)")
                    report.violation("a row was written in mode \(mode)")
                } catch ResultCode.readOnly {
                }
            } catch ResultCode.cantOpen where journal == .wal && mode != .immutable {
                // SQLite cannot make the files of the log. Only `immutable` reads without them.
            } catch {
                report.violation("\(journal.rawValue), \(mode): \(error)")
            }
        }
    }
}
