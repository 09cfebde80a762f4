// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

/// The `swift` blocks of the page "Errors".
private enum Quota {
    enum QuotaProblem: SQLiteProblem {
        case exceeded(limit: Int)

        var code: ResultCode { .full }

        var message: String {
            switch self {
            case .exceeded(let limit): "the quota of \(limit) files is used up"
            }
        }
    }

    static func checkQuota(_ limit: Int, on connection: Connection) throws {
        func checkQuota(_ limit: Int, on connection: Connection) throws {
            guard try connection.count("files") < limit else {
                throw SQLiteError(QuotaProblem.exceeded(limit: limit), of: .table("files"))
            }
        }
        try checkQuota(limit, on: connection)
    }
}

struct ErrorSnippets {
    private let output = Shared<[String]>([])
    private let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute("""
            CREATE TABLE users(email TEXT UNIQUE);
            INSERT INTO users VALUES('ada@example.org');
            CREATE TABLE files(id INTEGER PRIMARY KEY, body BLOB);
            INSERT INTO files(body) VALUES(x'010203'), (x'01020304');
            """)
    }

    private func print(_ text: String) { output.update { $0.append(text) } }

    private func insert(_ email: String) throws {
        do {
            try connection.run("INSERT INTO users(email) VALUES(\(email))")
        } catch ResultCode.constraintUnique {
            print("that address is in use")
        } catch let error as SQLiteError where error.kind == .closed(.connection) {
            print("the connection is closed")
        }
    }

    @Test func codesAndKinds() throws {
        try insert("grace@example.org")
        try insert("ada@example.org")
        connection.close()
        try insert("ada@example.org")
        #expect(output.value == ["that address is in use", "the connection is closed"])
    }

    private func beginning(of row: Int64) throws -> Data? {
        var first = Data(count: 4)
        do {
            try connection.withBlob(in: "files", column: "body", row: row) { blob in
                try blob.read(into: &first, at: 0)
            }
        } catch let error as SQLiteError
            where error.problem(BlobProblem.self) == .unknownRow
        {
            print("the row \(row) has no file")
        } catch let error as SQLiteError {
            if case .outOfRange(_, _, let size)? = error.problem(BlobProblem.self) {
                print("the file has only \(size) bytes")
            } else {
                throw error
            }
        }
        return output.value.isEmpty ? first : nil
    }

    @Test func problems() throws {
        #expect(try beginning(of: 2) == Data([1, 2, 3, 4]))
        #expect(try beginning(of: 1) == nil)
        #expect(try beginning(of: 3) == nil)
        #expect(output.value == ["the file has only 3 bytes", "there is no file 3"])
        try connection.run("UPDATE files SET body = 7 WHERE id = 1")
        #expect(try sqliteError { _ = try beginning(of: 1) }.problem(BlobProblem.self) == .number)
    }

    @Test func problemsOfALibrary() throws {
        typealias QuotaProblem = Quota.QuotaProblem
        func checkQuota(_ limit: Int, on connection: Connection) throws {
            try Quota.checkQuota(limit, on: connection)
        }
        try checkQuota(3, on: connection)
        do {
            try checkQuota(2, on: connection)
        } catch let error as SQLiteError {
            guard case .exceeded(let limit)? = error.problem(QuotaProblem.self) else {
                throw error
            }
            print("\(limit) files in \(error.subject?.table ?? "")")    // 2 files in files
        }
        #expect(output.value == ["2 files in files"])
        let error = try sqliteError { try checkQuota(1, on: connection) }
        #expect(error.resultCode == .full && error.message == "the quota of 1 files is used up")
    }
}
