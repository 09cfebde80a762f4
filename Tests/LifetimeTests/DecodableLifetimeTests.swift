import Foundation
import Squall
import Testing

/// Containers and decoders that are kept beyond their rows, their statements and their connections. They prove something when they
/// are built for release under the address sanitizer, like ``LifetimeTests``.
struct DecodableLifetimeTests {
    private static let rounds = 50

    private enum Keys: CodingKey { case x, name, body }

    private struct Kept: Decodable {
        let container: KeyedDecodingContainer<Keys>

        init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Keys.self) }

        func check(_ x: Int) throws {
            let (found, name) = (
                try container.decode(Int.self, forKey: .x), try container.decode(String.self, forKey: .name)
            )
            #expect(found == x)
            #expect(name == "a name of the heap, number \(x)")
            let body = try container.decode(Data.self, forKey: .body)
            #expect(body == Data(repeating: UInt8(x), count: 40))
        }
    }

    private struct KeptDecoder: Decodable {
        let decoder: any Decoder

        init(from decoder: any Decoder) throws { self.decoder = decoder }
    }

    private struct Plain: Decodable {
        let x: Int
        let name: String
        let body: Data?
    }

    @inline(never)
    private static func items() throws -> Connection {
        let connection = try Connection()
        try connection.run("CREATE TABLE t(x, name, body)")
        for x in 1...20 {
            try connection.run(
                "INSERT INTO t VALUES(?, ?, ?)", x, "a name of the heap, number \(x)",
                Data(repeating: UInt8(x), count: 40))
        }
        return connection
    }

    @Test func inContainersThatAreKept() throws {
        for _ in 0..<Self.rounds {
            let all: [Kept] = try Self.items().query("SELECT * FROM t ORDER BY x")
            for (index, kept) in all.enumerated() { try kept.check(index + 1) }
            let one: Kept = try Self.items().query("SELECT * FROM t WHERE x = 7")
            try one.check(7)
        }
    }

    @Test func inSomeContainersThatAreKept() throws {
        for _ in 0..<Self.rounds {
            var kept: [Kept] = []
            do {
                let connection = try Self.items()
                try connection.forEach("SELECT * FROM t ORDER BY x") { row in
                    let one = try row.decode(Kept.self)
                    if try row.decode(Plain.self).x % 3 == 0 { kept.append(one) }
                }
            }
            for (index, one) in kept.enumerated() { try one.check(3 * (index + 1)) }
        }
    }

    @Test func inDecodersThatAreKept() throws {
        for _ in 0..<Self.rounds {
            let all: [KeptDecoder] = try Self.items().query("SELECT * FROM t ORDER BY x")
            for (index, one) in all.enumerated() { try Kept(from: one.decoder).check(index + 1) }
        }
    }

    @Test func inRecordsOfAConnectionWithoutAName() throws {
        for _ in 0..<Self.rounds {
            let all: [Plain] = try Self.items().query("SELECT * FROM t ORDER BY x")
            #expect(all.map(\.x) == Array(1...20))
            #expect(all.last?.name == "a name of the heap, number 20")
        }
    }
}
