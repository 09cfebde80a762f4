import Foundation
import Squall
import SquallTestSupport
import Testing

/// The mode `.immutable`: files that nobody changes while they are open.
@Suite(.timeLimit(.minutes(10)))
struct ImmutableTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A database in WAL mode, closed.
    private func make(_ name: String) throws -> String {
        let path = directory.file(name)
        try Connection(path).execute("CREATE TABLE t(a); INSERT INTO t VALUES(1), (2)")
        return path
    }

    @Test(arguments: ["a.db", "100 % sure?.db", "naïve #1.db", "file:b.db"])
    func itMakesNoFilesAndCannotBeWritten(name: String) throws {
        let path = try make(name)
        let connection = try Connection(path, mode: .immutable)
        #expect(try connection.query("SELECT count(*) FROM t") == 2)
        #expect(connection.readOnly)
        #expect(connection.fileName.hasSuffix(name))
        #expect(try sqliteError { try connection.run("DELETE FROM t") }.resultCode == .readOnly)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [name])
        #expect(try sqliteError { _ = try Connection(path + "x", mode: .immutable) }.resultCode == .cantOpen)
    }

    @Test func aDatabaseReadsWithSeveralConnections() throws {
        let database = try Database(make("a.db"), mode: .immutable)
        try database.blocking.read { outer in
            let count = try ThreadResult { try database.blocking.read { try $0.query("SELECT count(*) FROM t") as Int } }
                .get()
            #expect(try outer.query("SELECT count(*) FROM t") == count)
        }
        #expect(database.statistics.readers == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a.db"])
        #expect(try sqliteError { try database.blocking.writeWithoutTransaction { try $0.run("DELETE FROM t") } }.resultCode == .readOnly)
    }

    @Test func changesThatItWouldNotReadAreAnError() throws {
        let path = try make("a.db")
        let other = try Connection(path)
        try other.run("INSERT INTO t VALUES(3)")
        let error = try sqliteError { _ = try Connection(path, mode: .immutable) }
        #expect(error.resultCode == .cantOpen)
        #expect(error.message == "the database has changes that are not in its file: \(path)-wal")
        other.close()
        #expect(try Connection(path, mode: .immutable).query("SELECT count(*) FROM t") == 3)
        try Data([0xd9, 0xd5]).write(to: URL(fileURLWithPath: path + "-journal"))
        #expect(throws: SQLiteError.self) { _ = try Connection(path, mode: .immutable) }
        try Data([0, 0]).write(to: URL(fileURLWithPath: path + "-journal"))
        #expect(try Connection(path, mode: .immutable).query("SELECT count(*) FROM t") == 3)
    }

    /// As in an application bundle.
    @Test(
        .disabled(
            if: Sanitizers.hasAddressSanitizer, "the process changes its user, after which the sanitizer ends it"))
    func theErrorOfADirectoryThatCannotBeWrittenNamesTheMode() throws {
        let path = try make("a.db")
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: directory.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path) }
        let lines = try TestProcess(["bundle", path]).end().output.split(separator: "\n")
        try #require(lines.count == 2)
        #expect(lines[0].hasPrefix("readOnly 1544 SQLite cannot make its files"))
        #expect(lines[0].hasSuffix("open the database with mode .immutable if nothing changes it"))
        #expect(lines[1] == "immutable 2")
    }
}
