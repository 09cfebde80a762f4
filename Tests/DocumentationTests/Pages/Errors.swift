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

        var hint: String? { "delete a file, or raise the limit" }
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
        #expect(output.value == ["the file has only 3 bytes", "the row 3 has no file"])
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
        #expect(error.hint == "delete a file, or raise the limit")
    }
}

extension ErrorSnippets {
    @Test func logs() throws {
        /// Returns the fields of a line of a log.
        func fields(of error: SQLiteError) -> [String: String] {
            var fields = ["code": "\(error.extendedCode), \(error.codeDescription)"]
            fields["message"] = error.message
            fields["hint"] = error.hint
            fields["sql"] = error.sql
            fields["place"] = error.location.map(text)
            if case .problem(let problem) = error.kind { fields["problem"] = text(problem) }
            return fields
        }

        func text(_ place: SQLiteError.Location) -> String {
            "line \(place.line), column \(place.column)"
        }

        func text(_ problem: SQLiteError.Problem) -> String {
            let type = "\(type(of: problem.base))"
            return problem.subject.map { "\(type) of \(text($0))" } ?? type
        }

        func text(_ subject: SQLiteError.Subject) -> String {
            subject.path ?? subject.table ?? "the database"
        }

        let unknown = fields(of: try sqliteError { try connection.run("SELECT 1,\nnmae FROM files") })
        #expect(unknown["code"] == "1, SQL logic error" && unknown["place"] == "line 2, column 1")
        #expect(unknown["message"] == "no such column: nmae" && unknown["problem"] == nil)
        let missing = fields(of: try sqliteError { _ = try beginning(of: 9, in: "nothing") })
        #expect(missing["problem"] == "BlobProblem of nothing")
        let file = SQLiteError(FileProblem.moved, of: .file("a.db"))
        #expect(fields(of: file)["problem"] == "FileProblem of a.db")
        #expect(fields(of: SQLiteError(QuotaProblem.exceeded(limit: 1)))["problem"] == "QuotaProblem")
    }

    private func beginning(of row: Int64, in table: String) throws {
        try connection.withBlob(in: table, column: "body", row: row) { _ in }
    }

    @Test func sentencesForUsers() throws {
        /// Returns what an app tells its user, or `nil` for a fault of the app.
        func sentence(for error: any Error) -> String? {
            switch error {
            case ResultCode.full: "free some space"
            case ResultCode.ioError, ResultCode.corrupt: "restore a backup to another disk"
            case ResultCode.cantOpen, ResultCode.notADatabase: "choose another file"
            case ResultCode.permissionDenied: "check the rights"
            case ResultCode.outOfMemory: "close other apps"
            case let error as SQLiteError:
                switch error.kind {
                case .unstorable(_, let problem): sentence(for: problem)
                case .nulCharacter(let place): sentence(for: place)
                case .insideRead(let violation): sentence(for: violation)
                case .closed(let object): sentence(for: object)
                default: error.hint
                }
            default: nil
            }
        }

        func sentence(for problem: SQLiteError.ValueProblem) -> String? {
            switch problem {
            case .yearOutOfRange, .tooFarForMilliseconds: "enter a year from 0 to 9999"
            case .tooLarge: "enter a smaller number"
            case .notANumber, .notANumberForParameter, .notInJSON: "enter a number"
            case .notANumberAsLiteral, .otherForm, .negativeCount: nil
            }
        }

        func sentence(for place: SQLiteError.NulCharacterPlace) -> String? {
            place == .path ? "choose another name for the file" : nil
        }

        func sentence(for violation: SQLiteError.ReadViolation) -> String? {
            violation == .statement ? "turn editing on first" : nil
        }

        func sentence(for object: SQLiteError.Closable) -> String? {
            object == .snapshot ? "the report has ended: begin it again" : nil
        }

        let file = try sqliteError { try connection.vacuum(into: "a\0b") }
        #expect(sentence(for: file) == "choose another name for the file")
        let date = try sqliteError {
            try connection.run("SELECT \(Date(timeIntervalSinceReferenceDate: 1e12))")
        }
        #expect(sentence(for: date) == "enter a year from 0 to 9999")
        #expect(sentence(for: SQLiteError.ReadViolation.statement) == "turn editing on first")
        #expect(sentence(for: SQLiteError.ReadViolation.pragma) == nil)
        #expect(sentence(for: SQLiteError.Closable.snapshot) == "the report has ended: begin it again")
        connection.close()
        #expect(sentence(for: try sqliteError { try connection.run("SELECT 1") }) == nil)
        for (code, text) in [
            (ResultCode.full, "free some space"), (.permissionDenied, "check the rights"),
            (.ioError, "restore a backup to another disk"), (.outOfMemory, "close other apps"),
            (.cantOpen, "choose another file"), (.notADatabase, "choose another file"),
        ] {
            #expect(sentence(for: SQLiteError(code: code.rawValue, message: "")) == text)
        }
        #expect(sentence(for: SQLiteError(code: 1, message: "", hint: "try again")) == "try again")
    }

    private typealias QuotaProblem = Quota.QuotaProblem
}
