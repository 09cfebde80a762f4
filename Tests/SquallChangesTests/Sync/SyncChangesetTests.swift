import SquallTestSupport
import Testing

import Squall

@testable import SquallChanges

/// The bytes of a changeset in a batch.
struct SyncChangesetTests {
    private let table: SyncTable

    init() throws {
        let connection = try Connection()
        try connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, a)")
        table = try SyncTable("t", policy: .hubWins, in: connection)
    }

    private static let null: [UInt8] = [5]
    private static let absent: [UInt8] = [0]
    private static func integer(_ value: UInt8) -> [UInt8] { [1, 0, 0, 0, 0, 0, 0, 0, value] }
    private static let (insert, update, delete): ([UInt8], [UInt8], [UInt8]) = ([18, 0], [23, 0], [9, 0])

    private func changes(_ parts: [UInt8]...) throws -> [SyncChange] {
        let header = Array("T".utf8) + [2, 1, 0] + Array("t".utf8) + [0]
        return try [SyncChange](changeset: header + parts.joined(), origin: "x", tables: ["t": table])
    }

    @Test func aKeyIsNeverNull() throws {
        let inserted = try #require(try changes(Self.insert, Self.integer(1), Self.null).first)
        #expect(inserted.new == [.integer(1), .null])
        let deleted = try #require(try changes(Self.delete, Self.integer(1), Self.null).first)
        #expect(deleted.old == [.integer(1), .null])
        #expect(
            try errorKind { _ = try changes(Self.insert, Self.null, Self.integer(1)) } == .problem(SyncProblem.damaged))
        #expect(
            try errorKind { _ = try changes(Self.delete, Self.null, Self.integer(1)) } == .problem(SyncProblem.damaged))
        #expect(
            try errorKind { _ = try changes(Self.update, Self.null, Self.null, Self.absent, Self.null) }
                == .problem(SyncProblem.damaged))
    }

    @Test func anUpdateKeepsTheKey() throws {
        let old = Self.update + Self.integer(1) + Self.null
        for key in [Self.absent, Self.integer(1)] {
            let updated = try #require(try changes(old, key, Self.integer(7)).first)
            #expect(updated.old == [.integer(1), .null] && updated.new == [.integer(1), .integer(7)])
        }
        #expect(
            try errorKind { _ = try changes(old, Self.integer(2), Self.integer(7)) } == .problem(SyncProblem.damaged))
        #expect(try errorKind { _ = try changes(old, Self.absent, Self.absent) } == .problem(SyncProblem.damaged))
    }
}
