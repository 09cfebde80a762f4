import Foundation
import NIOCore
import Squall
import Testing

@testable import SquallCluster

@Suite struct ReplyTests {
    @Test func repliesOfANodeAreRead() throws {
        // As a node of dqlite 1.11.1 sent them.
        func message(_ hex: String) throws -> Message { try ByteBuffer(hex: hex).message() }
        #expect(
            try message("0300000001000000 0100000000000000 3132372e302e302e 313a310000000000").leader()
                == NodeInfo(id: 1, address: "127.0.0.1:1"))
        #expect(try message("0200000001000000 0000000000000000 0000000000000000").leader() == nil)
        #expect(try message("0100000002000000 983a000000000000").welcome() == .seconds(15))
        #expect(
            try message("0400000003000000 0100000000000000 0100000000000000 613a310000000000 0100000000000000").nodes()
                == [ClusterMember(id: 1, address: "a:1", role: .standby)])
        #expect(try message("0100000004000000 0000000000000000").databaseID() == 0)
        #expect(
            try message("0200000005000000 0000000003000000 0200000000000000").statement(sql: "")
                == PreparedStatement(id: 3, parameterCount: 2, tailOffset: nil))
        #expect(
            try message("0300000005010000 0000000003000000 0200000000000000 0800000000000000").statement(sql: "")
                == PreparedStatement(id: 3, parameterCount: 2, tailOffset: 8))
        #expect(
            try message("0200000006000000 0500000000000000 0100000000000000").result(sql: "")
                == ExecutionResult(lastInsertedRowID: 5, changes: 1))
        try message("0100000008000000 0000000000000000").empty()
        #expect(
            try message(
                "0600000009000000 0200000000000000 6170700000000000 0800000000000000 0102030405060708 "
                    + "6170702d77616c00 0000000000000000 "
            ).files().map(\.name) == ["app", "app-wal"])
        #expect(
            try message("020000000a000000 0100000000000000 0700000000000000").metadata()
                == NodeMetadata(failureDomain: 1, weight: 7))
        let failure = NodeFailure(code: 1, message: "not an error")
        #expect(throws: ClusterError.refused(failure)) {
            try message("0300000000000000 0100000000000000 6e6f7420616e2065 72726f7200000000").empty()
        }
    }

    @Test func aFailureOfARowIsReadAfterTheRowsBeforeIt() throws {
        let rows: [[[WireValue]]] = [[], [[.integer(1), .text("one")], [.null, .text("")]]]
        for rows in rows {
            let failure = ByteBuffer.message(.failure) { body in
                var part = ByteBuffer.rows(["a", "b"], rows)
                part.moveReaderIndex(forwardBy: 8)
                body.writeImmutableBuffer(part.getSlice(at: part.readerIndex, length: part.readableBytes - 8)!)
                body.writeWord(1)
                body.writeWireText("integer overflow")
            }
            let found = try failure.message().failure(sql: "SELECT")
            #expect(found == NodeFailure(code: 1, message: "integer overflow", sql: "SELECT"))
        }
        let short = ByteBuffer.message(.failure) { body in
            for word in [1, 0, 7] as [UInt64] { body.writeWord(word) }
        }
        #expect(throws: WireError.self) { try short.message().failure() }
    }

    @Test func errorsOfRaftAreNotErrorsOfSQLite() {
        // As a node of dqlite 1.11.1 sent it at a COMMIT while the leadership was transferred.
        #expect(NodeFailure(code: 7, message: "no more rows available").kind == .leadershipLost)
        #expect(NodeFailure(code: 1_001, message: "bad request").kind == .notUnderstood)
        // NULL, a primary key, RAISE, a failed fsync.
        for code in [1_299, 1_555, 1_811, 1_034] as [UInt64] {
            #expect(NodeFailure(code: code, message: "m").kind == .sqlite(ResultCode(rawValue: Int32(code))))
        }
        #expect(NodeFailure(code: 7, message: "out of memory").kind == .sqlite(.outOfMemory))
        #expect(NodeFailure(code: 8, message: "attempt to write a readonly database").kind == .sqlite(.readOnly))
    }

    @Test func rowsOfANodeAreRead() throws {
        let hex = """
            0e00000007000000 0300000000000000 3f00000000000000 3f32000000000000 3f33000000000000
            2103000000000000 0100000000000000 0000000000000440 7468726565000000 4505000000000000
            0000000000000000 0100000000000000 ff00000000000000 0000000000000000 ffffffffffffffff
            """
        var part = try RowPart(try ByteBuffer(hex: hex).message())
        #expect(part.header.columns == ["?", "?2", "?3"])
        #expect(part.isLast)
        #expect(try part.next() == [.integer(1), .real(2.5), .text("three")])
        #expect(try part.next() == [.null, .blob(Data([255])), .null])
        #expect(try part.next() == nil)
    }

    @Test(arguments: 0..<100) func randomRowsComeBack(seed: UInt64) throws {
        var random = Seeded(seed: seed)
        let columns = (0..<random.number(1..<40)).map { "column \($0)" }
        let rows = (0..<random.number(0..<20)).map { _ in columns.map { _ in random.value() } }
        var part = try RowPart(try ByteBuffer.rows(columns, rows, .more).message())
        #expect(part.header.columns == columns)
        #expect(!part.isLast)
        for row in rows { #expect(try part.nextWireValues() == row, "seed \(seed)") }
        #expect(try part.nextWireValues() == nil)
    }

    @Test func messagesAreReadFromAnyPieces() throws {
        var all = ByteBuffer()
        for number in 0..<20 {
            var rows = ByteBuffer.rows(["a"], (0..<number).map { [.integer(Int64($0))] })
            all.writeBuffer(&rows)
        }
        var random = Seeded(seed: 1)
        for _ in 0..<50 {
            var reader = MessageReader(limit: 10_000)
            var rest = all
            var count = 0
            while rest.readableBytes > 0 {
                let length = Swift.min(random.number(1..<100), rest.readableBytes)
                reader.append(rest.readSlice(length: length) ?? ByteBuffer())
                while try reader.next() != nil { count += 1 }
            }
            #expect(count == 20)
            #expect(reader.waitingBytes == 0)
        }
    }

    @Test func malformedRepliesAreErrors() throws {
        func rows(_ hex: String) throws {
            var part = try RowPart(Message(type: 7, schema: 0, body: ByteBuffer(hex: hex)))
            while try part.next() != nil {}
        }
        let marker = "ffffffffffffffff"
        #expect(throws: WireError.missingRowMarker) { try rows("") }
        #expect(throws: WireError.missingRowMarker) { try rows("0000000000000000") }
        #expect(throws: WireError.tooManyColumns(.max)) { try rows(marker) }
        #expect(throws: WireError.missingTerminator(offset: 16)) {
            try rows("0200000000000000 6100000000000000" + marker)
        }
        #expect(throws: WireError.missingTerminator(offset: 8)) { try rows("0100000000000000 " + marker) }
        #expect(throws: WireError.trailingBytes(count: 8)) {
            try rows("0000000000000000 0000000000000000" + marker)
        }
        #expect(throws: WireError.truncated(offset: 8)) {
            try rows("0100000000000000 6100000000000000 0100000000000000" + marker)
        }
        #expect(throws: WireError.unknownValueType(6)) {
            try rows("0100000000000000 6100000000000000 0600000000000000 0100000000000000" + marker)
        }
        #expect(throws: WireError.truncated(offset: 8)) {
            try rows("0100000000000000 6100000000000000 0400000000000000 ffffffffffffff7f" + marker)
        }
        #expect(throws: WireError.invalidUTF8(offset: 8)) {
            try rows("0100000000000000 6100000000000000 0300000000000000 c300000000000000" + marker)
        }
        let header = ByteBuffer(hex: "ffffffff00000000")
        #expect(throws: WireError.messageTooLarge(size: 34_359_738_360, limit: 100)) {
            try header.messages(limit: 100)
        }
        let nodes = Message(type: 3, schema: 0, body: ByteBuffer(hex: marker))
        #expect(throws: WireError.truncated(offset: 8)) { try nodes.nodes() }
        let member = "0100000000000000 0100000000000000 613a310000000000 0300000000000000"
        #expect(throws: WireError.unknownRole(3)) { try Message(type: 3, schema: 0, body: .init(hex: member)).nodes() }
        let long = Message(type: 8, schema: 0, body: ByteBuffer(hex: marker + marker))
        #expect(throws: WireError.trailingBytes(count: 8)) { try long.empty() }
        #expect(throws: WireError.unexpectedReply(expected: 1, found: 8)) { try long.leader() }
    }

    @Test func laterPartsHaveTheColumnsOfTheFirst() throws {
        let first = try RowPart(try ByteBuffer.rows(["a", "b"], [], .more).message())
        _ = try RowPart(try ByteBuffer.rows(["a", "b"], [[.null, .null]]).message(), after: first.header)
        #expect(throws: WireError.columnsChanged) {
            _ = try RowPart(ByteBuffer.rows(["a", "c"], []).message(), after: first.header)
        }
    }
}
