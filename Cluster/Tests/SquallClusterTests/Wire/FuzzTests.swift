import Foundation
import NIOCore
import Testing

@testable import SquallCluster

@Suite struct FuzzTests {
    static let replies: [ByteBuffer] = [
        .rows(["a", "bcd"], [[.integer(1), .text("größer")], [.blob(Data([1, 2])), .null]], .more),
        .rows((0..<17).map { "\($0)" }, [(0..<17).map { .real(Double($0)) }]),
        .rows(["a"], [[.iso8601("2026")], [.unixTime(5)], [.boolean(1)]]),
        .message(.failure) { body in
            body.writeWord(1)
            body.writeWireText("no such table")
        },
        .message(.node) { body in
            body.writeWord(1)
            body.writeWireText("127.0.0.1:9001")
        },
        .message(.nodes) { body in
            body.writeWord(2)
            for id in 1...2 {
                body.writeWord(UInt64(id))
                body.writeWireText("10.0.0.\(id):9001")
                body.writeWord(0)
            }
        },
        .message(.files) { body in
            body.writeWord(1)
            body.writeWireText("app")
            body.writeWireBlob([1, 2, 3, 4, 5, 6, 7, 8])
        },
        .message(.statement, schema: 1) { body in
            for word in 0..<3 { body.writeWord(UInt64(word)) }
        },
        .message(.result) { body in
            for word in 0..<2 { body.writeWord(UInt64(word)) }
        },
    ]

    @Test func changedRepliesAreErrorsOrValues() throws {
        let seed = TestSeed.of()
        var random = Seeded(seed: seed)
        for round in 0..<20_000 {
            let bytes = Self.changed(try #require(Self.replies.randomElement(using: &random)), &random)
            do {
                try Self.readAll(bytes)
            } catch {
                #expect(error is WireError || error is ClusterError, "seed \(seed), round \(round), \(bytes.hex)")
            }
        }
    }

    /// Changes some bytes and words, shortens or lengthens the message, and sometimes corrects its header again.
    static func changed(_ reply: ByteBuffer, _ random: inout Seeded) -> ByteBuffer {
        var bytes = Array(reply.readableBytesView)
        for _ in 0..<random.number(1..<4) where !bytes.isEmpty {
            let index = random.number(0..<bytes.count)
            switch random.number(0..<6) {
            case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes[index] ^= 1 << UInt8(random.number(0..<8))
            case 2: bytes.removeLast(bytes.count - index)
            case 3: bytes.append(contentsOf: repeatElement(0xff, count: random.number(1..<17)))
            case 4: bytes.replaceSubrange(index..<bytes.count, with: bytes[index...].map { _ in 0xee })
            default: for place in index..<min(index + 8, bytes.count) { bytes[place] = 0xff }
            }
        }
        if random.number(0..<4) > 0 {
            while bytes.count < 8 || !bytes.count.isMultiple(of: 8) { bytes.append(0) }
            let words = UInt32(bytes.count / 8 - 1)
            for index in 0..<4 { bytes[index] = UInt8(truncatingIfNeeded: words >> (8 * index)) }
        }
        return ByteBuffer(bytes: bytes)
    }

    /// Reads the bytes as every reply.
    private static func readAll(_ bytes: ByteBuffer) throws {
        for message in try bytes.messages() {
            let readers: [(Message) throws -> Void] = [
                { _ = try $0.leader() }, { _ = try $0.welcome() }, { _ = try $0.nodes() }, { _ = try $0.databaseID() },
                { _ = try $0.statement(sql: "") }, { _ = try $0.result(sql: "") }, { try $0.empty() },
                { _ = try $0.files() }, { _ = try $0.metadata() }, { _ = try $0.failure() },
                { message in
                    var part = try RowPart(message)
                    while try part.nextWireValues() != nil {}
                },
            ]
            var failure: (any Error)?
            for read in readers {
                do { try read(message) } catch { failure = failure ?? error }
            }
            if let failure { throw failure }
        }
    }
}
