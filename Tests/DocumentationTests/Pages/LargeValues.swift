// swift-format-ignore-file
import Foundation
import Squall
import Testing

/// The `swift` blocks of the page "Large values".
private struct FileType: Equatable {
    let first: UInt8

    init(_ header: [UInt8]) {
        first = header[0]
    }
}

private struct Request: Sendable {
    let body: AsyncStream<Data>
}

private actor Response {
    private(set) var data = Data()

    func write(_ chunk: Data) throws { data += chunk }
}

private func checksum(_ data: Data) -> Int { data.reduce(0) { $0 + Int($1) } }

struct LargeValuesSnippets {
    private static let script: SQL = """
        CREATE TABLE files(id INTEGER PRIMARY KEY, name TEXT, body BLOB);
        INSERT INTO files VALUES(1, '.hidden', zeroblob(100)), (2, 'x', NULL)
        """

    @Test func parts() throws {
        let connection = try Connection()
        try connection.execute(Self.script)
        try write(connection)
        let ids: [Int64] = [1, 3]
        var checksums: [Int64: Int] = [:]
        try connection.withBlob(in: "files", column: "body", row: ids[0]) { blob in
            for id in ids {
                try blob.move(to: id)
                checksums[id] = try checksum(blob.data())
            }
        }
        #expect(checksums == [1: 0, 3: 6])
        try type(connection, 3)
    }

    private func write(_ connection: Connection) throws {
        let (name, size, offset, bytes) = ("y", 16, 2, [1, 2, 3] as [UInt8])
        let id = try connection.insert(
            into: "files", ["name": name, "body": ZeroBlob(count: size)])
        try connection.withBlob(in: "files", column: "body", row: id, mode: .readWrite) {
            try $0.write(bytes, at: offset)
        }
        #expect(id == 3)
    }

    private func type(_ connection: Connection, _ id: Int64) throws {
        let type = try connection.withBlob(in: "files", column: "body", row: id) { blob in
            var header = [UInt8](repeating: 0, count: 16)
            try blob.read(into: &header, at: 0)
            return FileType(header)
        }
        #expect(type.first == 0)
    }

    @Test func tasks() async throws {
        let database = try Database.temporary()
        try await database.write { try $0.execute(Self.script) }
        let (id, response) = (Int64(1), Response())
        let (body, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.yield(Data(repeating: 7, count: 100))
        continuation.finish()
        let request = Request(body: body)
        try await database.writeBlob(
            in: "files", column: "body", row: id, deadline: .seconds(600),
            from: request.body)
        for try await chunk in database.blob(in: "files", column: "body", row: id) {
            try await response.write(chunk)
        }
        #expect(await response.data == Data(repeating: 7, count: 100))
    }

    @Test func valuesInPlace() throws {
        let connection = try Connection()
        try connection.execute(Self.script)
        var (hidden, total) = (0, 0)
        try connection.forEach("SELECT id, name, body FROM files") { row in
            let isHidden = try row.withUTF8("name") { (name: Span<UInt8>) in
                name.count > 0 && name[0] == UInt8(ascii: ".")
            }
            if isHidden { hidden += 1 }
            total += try row.withBytesIfPresent("body") { $0.byteCount } ?? 0
        }
        #expect(hidden == 1 && total == 100)
    }
}
