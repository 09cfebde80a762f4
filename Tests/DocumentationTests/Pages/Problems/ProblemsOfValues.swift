// swift-format-ignore-file
import Foundation
import Squall
import SquallTestSupport
import Testing

/// More `swift` blocks of the page "Problems of statements and values".
struct ValueProblemSnippets {
    private let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute("""
            CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL);
            """)
    }

    @Test func values() throws {
        // Store `nil` for NaN.
        expect(kind: .unstorable(type: "Decimal", reason: .notANumber), """
            Decimal.nan cannot be stored
            """) {
            try connection.run("UPDATE cars SET price = \(Decimal.nan)")
        }
        expect(kind: .unstorable(type: "Double", reason: .notANumberForParameter(1)), """
            NaN cannot be bound to parameter 1: SQLite would store NULL
            """) {
            try connection.run("UPDATE cars SET price = \(Double.nan)")
        }
        expect(kind: .unstorable(type: "Double", reason: .notANumberAsLiteral), """
            NaN has no literal: SQLite would make it NULL
            """) {
            try connection.createTable("boats", ["price DEFAULT \(Double.nan)"])
        }
        // With `extension UInt128: Binding {}`. Store such a number as text.
        expect(kind: .unstorable(type: "UInt128", reason: .tooLarge), """
            a value of UInt128 does not fit into an INTEGER
            """) {
            try connection.run("UPDATE cars SET price = \(UInt128.max)")
        }
        let age = Date(timeIntervalSinceReferenceDate: 1e12)
        expect(kind: .unstorable(type: "Date", reason: .yearOutOfRange), """
            the date is not in the years 0000 to 9999 and cannot be stored as text
            """) {
            try connection.run("UPDATE cars SET price = \(age)")
        }
        let end = UnixMilliseconds(Date(timeIntervalSince1970: 1e30))
        expect(
            kind: .unstorable(type: "UnixMilliseconds", reason: .tooFarForMilliseconds), """
            the date is too far away to be counted in milliseconds
            """) {
            try connection.run("UPDATE cars SET price = \(end)")
        }
        expect(kind: .unstorable(type: "ZeroBlob", reason: .negativeCount), """
            ZeroBlob has a negative number of bytes
            """) {
            try connection.run("UPDATE cars SET price = \(ZeroBlob(count: -1))")
        }
    }

    @Test func formsOfValues() throws {
        struct Marks: Codable { var mean: Double? }
        struct Report: TableRecord {
            let id: Int, marks: Marks
            static let padded = StorageForm<Int>("padded", type: "TEXT") {
                .text(String(format: "%06d", $0))
            } decode: {
                $0.text.flatMap { Int($0) }
            }
            static let table = Table("reports", Report.init) {
                Column("id", \Report.id, as: padded, .primaryKey)
                Column("marks", \Report.marks, as: .json)
            }
        }
        try connection.create(Report.table)
        // Give a value of the property's type, an Int.
        expect(kind: .unstorable(type: "UInt64", reason: .otherForm("padded")), """
            UInt64 is not stored as padded
            """) {
            try connection.find(Report.self, key: UInt64.max)
        }
        expect(kind: .unstorable(type: "Double", reason: .notInJSON), """
            JSON has no infinite numbers and no NaN
            """) {
            try connection.update(Report.self) {
                $0.marks["$.mean", as: Double.self].set(to: .infinity)
            } where: {
                $0.marks["$.mean", as: Double.self] == 0
            }
        }
    }

    @Test func nulCharacters() throws {
        let text = "a\0b"
        expect(kind: .nulCharacter(in: .sql), "the SQL has a NUL character") {
            try connection.run("SELECT 1; \0")
        }
        expect(kind: .nulCharacter(in: .identifier), """
            an identifier cannot have a NUL character
            """) {
            try connection.run("SELECT \(name: text)")
        }
        expect(kind: .nulCharacter(in: .path), "a path cannot have a NUL character") {
            try connection.vacuum(into: text)
        }
        expect(kind: .nulCharacter(in: .attachment), """
            the path or the name of a database cannot have a NUL character
            """) {
            try connection.attachDatabase(from: .inMemory, withName: text)
        }
        expect(kind: .nulCharacter(in: .databaseName), """
            the name of a database cannot have a NUL character
            """) {
            try connection.backup(databaseNamed: text, to: Connection()).run()
        }
        expect(kind: .nulCharacter(in: .functionName), """
            the name of a function cannot have a NUL character
            """) {
            try connection.addFunction(text) { 1 }
        }
        expect(kind: .nulCharacter(in: .collationName), """
            the name of a collation cannot have a NUL character
            """) {
            try connection.addCollation(text) { _, _ in .orderedSame }
        }
    }

    @Test(.enabled(if: SQLiteFeatures.extensionLoading)) func nulCharactersInEntryPoints() throws {
        let text = "a\0b"
        expect(kind: .nulCharacter(in: .entryPoint), """
            the name of an entry point cannot have a NUL character
            """) {
            try connection.loadExtension("vec0", entryPoint: text)
        }
    }

    @Test func codes() throws {
        try connection.execute("""
            CREATE TABLE parts(id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, count INTEGER CHECK (count > 0),
                car INTEGER REFERENCES cars) STRICT;
            """)
        try connection.execute("""
            INSERT INTO parts VALUES(1, 'wheel', 4, NULL);
            CREATE TRIGGER parts_are_kept BEFORE DELETE ON parts BEGIN
                SELECT RAISE(ABORT, 'parts are kept');
            END;
            """)
        try connection.execute("PRAGMA foreign_keys = ON")
        expect(code: .constraintUnique, "UNIQUE constraint failed: parts.name") {
            try connection.run("INSERT INTO parts(name) VALUES('wheel')")
        }
        expect(code: .constraintPrimaryKey, "UNIQUE constraint failed: parts.id") {
            try connection.run("INSERT INTO parts(id, name) VALUES(1, 'door')")
        }
        expect(code: .constraintNotNull, "NOT NULL constraint failed: parts.name") {
            try connection.run("INSERT INTO parts(count) VALUES(1)")
        }
        expect(code: .constraintCheck, "CHECK constraint failed: count > 0") {
            try connection.run("INSERT INTO parts(name, count) VALUES('door', 0)")
        }
        // The table is STRICT.
        expect(code: .constraintDataType, """
            cannot store TEXT value in INTEGER column parts.count
            """) {
            try connection.run("INSERT INTO parts(name, count) VALUES('door', 'many')")
        }
        expect(code: .constraintForeignKey, "FOREIGN KEY constraint failed") {
            try connection.run("INSERT INTO parts(name, car) VALUES('door', 9)")
        }
        // CREATE TRIGGER … BEGIN SELECT RAISE(ABORT, 'parts are kept'); END
        expect(code: .constraintTrigger, "parts are kept") {
            try connection.run("DELETE FROM parts")
        }
        // End the statement that reads, or collect its rows first.
        expect(code: .locked, "database table is locked") {
            try connection.forEach("SELECT * FROM parts") { (_) throws in
                try connection.run("DROP TABLE parts")
            }
        }
        // The limit is that of `Configuration.limits`.
        expect(code: .tooBig, "string or blob too big") {
            try connection.run("SELECT zeroblob(3000000000)")
        }
        expect(code: .error, "no such column: nmae") {
            try connection.run("SELECT nmae FROM cars")
        }
        expect(code: .cantOpen, "unable to open database file: no/such/folder/cars.db") {
            try Connection("no/such/folder/cars.db")
        }
    }
}
