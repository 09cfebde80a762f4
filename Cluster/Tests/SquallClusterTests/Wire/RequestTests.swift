import Foundation
import NIOCore
import Squall
import Testing

@testable import SquallCluster

@Suite struct RequestTests {
    @Test(
        "a request is these bytes",
        arguments: [
            (Request.leader, "0100000000000000 0000000000000000"),
            (.client(id: 258), "0100000001000000 0201000000000000"),
            (.open(name: "app"), "0300000003000000 6170700000000000 0000000000000000 0000000000000000"),
            (.prepare(sql: "SELECT 1"), "0300000004010000 0000000000000000 53454c4543542031 0000000000000000"),
            (.execute(statement: 3, values: []), "0100000005000000 0000000003000000"),
            (
                .query(statement: 1, values: [.integer(-1), .null]),
                "0400000006000000 0000000001000000 0201050000000000 ffffffffffffffff 0000000000000000"
            ),
            (.finalize(statement: 2), "0100000007000000 0000000002000000"),
            (
                .executeSQL("x", values: [.real(1), .text("ab"), .blob(Data([9]))]),
                "0700000008000000 0000000000000000 7800000000000000 0302030400000000 000000000000f03f "
                    + "6162000000000000 0100000000000000 0900000000000000"
            ),
            (.querySQL("", values: []), "0200000009000000 0000000000000000 0000000000000000"),
            (.interrupt, "010000000a000000 0000000000000000"),
            (.add(id: 2, address: "a:1"), "020000000c000000 0200000000000000 613a310000000000"),
            (.assign(id: 2, role: .spare), "020000000d000000 0200000000000000 0200000000000000"),
            (.remove(id: 2), "010000000e000000 0200000000000000"),
            (.dump(name: "12345678"), "020000000f000000 3132333435363738 0000000000000000"),
            (.cluster, "0100000010000000 0100000000000000"),
            (.transfer(id: 3), "0100000011000000 0300000000000000"),
            (.describe, "0100000012000000 0000000000000000"),
            (.weight(5), "0100000013000000 0500000000000000"),
        ])
    func bytes(request: Request, hex: String) {
        #expect(request.bytes.hex == hex)
    }

    @Test(arguments: [0, 1, 6, 7, 8, 255, 256, 300, 1_000])
    func parametersComeBack(count: Int) throws {
        var random = Seeded(seed: UInt64(count))
        let values = (0..<count).map { _ in random.value().bindingValue }
        let request = Request.execute(statement: 0, values: values)
        #expect(request.schema == (count > 255 ? 1 : 0))
        let read = try request.bytes.message().read(schema: 1) { reader in
            _ = try reader.word()
            return try reader.parameters(schema: request.schema)
        }
        #expect(read == values)
    }

    @Test func whatANodeWouldMisreadIsRefused() {
        #expect(throws: ClusterError.zeroByte(in: .name)) { try Request.open(name: "\0").check(limit: 100) }
        #expect(throws: ClusterError.zeroByte(in: .sql)) { try Request.prepare(sql: "a\0").check(limit: 100) }
        #expect(throws: ClusterError.zeroByte(in: .address)) { try Request.add(id: 1, address: "\0").check(limit: 100) }
        let large = Request.execute(statement: 0, values: [.blob(Data(count: 100))])
        #expect(throws: ClusterError.requestTooLarge(size: 141, limit: 100)) { try large.check(limit: 100) }
    }

    @Test func anAddressIsAHostAndAPort() {
        #expect(NodeAddress("10.0.0.1:9001").map { [$0.host, "\($0.port)"] } == ["10.0.0.1", "9001"])
        #expect(NodeAddress("[::1]:1")?.host == "::1")
        #expect(NodeAddress("[::1]:1")?.description == "[::1]:1")
        for text in ["", ":", "a", "a:", ":1", "a:0", "a:65536", "a:+1", "a:-1", "[]:1"] {
            #expect(NodeAddress(text) == nil, "\(text)")
        }
    }
}

extension WireReader {
    /// Reads the parameters of a request, as a node does.
    fileprivate mutating func parameters(schema: UInt8) throws -> [BindingValue] {
        if isAtEnd { return [] }
        let start = offset
        let countBytes = try take(schema == 0 ? 1 : 4)
        let count = countBytes.reversed().reduce(0) { $0 << 8 | Int($1) }
        let types = Array(try take(count))
        _ = try take(-(offset - start) & 7)
        return try types.map { try bindingValue(#require(WireValueType(rawValue: $0))) }
    }
}
