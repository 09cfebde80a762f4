// swift-format-ignore-file
import Foundation
import Squall
import SquallChanges
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Recording changes".
@Suite(.enabled(if: SQLiteLibrary.has("ENABLE_SESSION")))
struct RecordingChangesSnippets {
    private static let script: SQL = """
        CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT, price INTEGER);
        INSERT INTO cars VALUES(1, 'Audi', 10), (2, 'Fiat', 20)
        """

    private static func cars() throws -> Connection {
        let connection = try Connection()
        try connection.execute(script)
        return connection
    }

    private func print(_ table: String, _ old: BindingValue?, _ new: BindingValue?) {
        #expect(table == "cars" && old != new)
    }

    @Test func changes() throws {
        let (connection, other) = (try Self.cars(), try Self.cars())
        let changes = try connection.recordChanges(in: "cars") {
            try $0.run("UPDATE cars SET price = price + 1")
        }
        try other.apply(changes)
        #expect(try other.query("SELECT price FROM cars") == [11, 21])
        for change in try changes.elements where change.operation == .update {
            print(change.table, change.old["price"], change.new["price"])
        }
        let more = try connection.recordChanges { try $0.run("DELETE FROM cars WHERE id = 1") }
        let undo = try changes.inverted()
        let both = try changes.appending(more)
        #expect(try undo.elements.count == 2 && both.elements.count == 2)
        try conflicts(changes)
        try rebase(local: more, remote: changes, connection)
    }

    private func conflicts(_ changes: Changeset) throws {
        let other = try Self.cars()
        try other.run("UPDATE cars SET price = 1")
        let resolutions = try other.apply(changes, to: { $0 != "log" }) { conflict in
            conflict.kind == .data ? .replace : .omit
        }
        #expect(!resolutions.isEmpty)
        #expect(try other.query("SELECT price FROM cars") == [11, 21])
    }

    private func rebase(local: Changeset, remote: Changeset, _ connection: Connection) throws {
        let resolutions = try connection.apply(remote) { _ in .omit }
        let rebased = try Rebaser(resolutions).rebased(local)
        #expect(try rebased.elements.count == 1)
    }

    @Test func differences() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("other.db")
        let connection = try Self.cars()
        try Connection(path).execute(Self.script)
        try connection.run("DELETE FROM cars")
        let difference = try connection.difference(from: path, tables: ["cars"])
        #expect(try difference.elements.count == 2)
    }

    @Test func parts() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("changes")
        try Data().write(to: URL(fileURLWithPath: path))
        let file = try #require(FileHandle(forWritingAtPath: path))
        let source = try #require(FileHandle(forReadingAtPath: path))
        let (connection, other) = (try Self.cars(), try Self.cars())
        let recorder = try connection.startRecording()
        try connection.run("DELETE FROM cars")
        try recorder.writeChangeset { try file.write(contentsOf: $0) }

        let stream = ChangesetStream { try source.read(upToCount: 65_536) }
        try other.apply(stream)
        #expect(try other.query("SELECT count(*) FROM cars") == 0)
    }
}
