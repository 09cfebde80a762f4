import Foundation
import Squall

/// The form of the common tables, in which the features of a pair have their wishes.
struct TableShape: Sendable {
    /// The kind of the primary key of `items`.
    enum Key: Sendable {
        case integer, autoincrement, untyped, text, uuid, composite

        /// Returns the key of a row as SQL.
        func sql(_ number: Int64) -> String {
            switch self {
            case .integer, .autoincrement, .untyped, .composite: "\(number)"
            case .text: "'k\(number)'"
            case .uuid: "'\(UUID(number: number).uuidString.lowercased())'"
            }
        }

        /// Returns the key of a row as a value.
        func value(_ number: Int64) -> any Bindable & Settable & Sendable {
            switch self {
            case .integer, .autoincrement, .untyped, .composite: number
            case .text: String(number: number)
            case .uuid: UUID(number: number).uuidString.lowercased()
            }
        }

        /// Returns the key of a row as a value of SQLite.
        func bindingValue(_ number: Int64) -> BindingValue {
            switch self {
            case .integer, .autoincrement, .untyped, .composite: .integer(number)
            case .text: .text("k\(number)")
            case .uuid: .text(UUID(number: number).uuidString.lowercased())
            }
        }

        /// Returns the key of a row as a literal of Swift that binds the value of the column.
        func literal(_ number: Int64) -> String {
            switch self {
            case .integer, .autoincrement, .untyped, .composite: "\(number)"
            case .text, .uuid: "\"\(value(number))\""
            }
        }

        /// Returns the key of a row as Swift.
        func swift(_ number: Int64) -> String {
            switch self {
            case .integer, .autoincrement, .untyped, .composite: "\(number)"
            case .text: "\"k\(number)\""
            case .uuid: "UUID(uuidString: \"\(UUID(number: number).uuidString)\")!"
            }
        }
    }

    /// The foreign key from `items` to `authors`.
    enum Reference: String, Sendable {
        case cascade = "ON DELETE CASCADE"
        case setNull = "ON DELETE SET NULL"
        case deferred = "DEFERRABLE INITIALLY DEFERRED"
        case restrict = "ON DELETE RESTRICT"
        case noAction = "ON DELETE NO ACTION"
        /// The default is 0.
        case setDefault = "ON DELETE SET DEFAULT"
        case updateCascade = "ON UPDATE CASCADE"
    }

    private(set) var key = Key.integer
    private(set) var reference: Reference?
    var isStrict = false
    var isWithoutRowID = false
    /// The form of the dates of `seen`.
    enum Dates: Sendable {
        case standard, unixTime, unixMilliseconds, julianDay
    }

    private(set) var dates = Dates.standard
    /// Whether `data` is a text of JSON.
    var hasJSON = false
    /// Whether a record reads `data` as bytes, whatever its form is.
    var readsBytes = false
    /// Whether values of `data` are written in parts.
    var hasBlobs = false
    /// Columns that refer to other rows of `items`.
    var parentColumns: [String] = []
    /// Triggers that are older than all features.
    var firstTriggers: [String] = []
    /// Whether triggers update the rows of an UPDATE again.
    var hasTouch: Bool { hasNewerTouch || !firstTriggers.isEmpty }
    /// Whether newer triggers update the rows of an UPDATE again.
    var hasNewerTouch = false
    /// Whether a search table with a condition reads the rows of `items`.
    var hasConditionalIndex = false
    /// Whether triggers of the program write other tables than `items`.
    var hasTriggers = false
    /// The collation of the name.
    var collation: String?
    /// Definitions of columns that no record has.
    var addedColumns: [String] = []
    /// Columns with a default that the tables of the database get when they have rows.
    var lateColumns: [String] = []
    /// The one of them whose values the model has.
    var lateColumn: String?
    /// The collation of a key that is a text.
    var keyCollation: String?
    /// Constraints of the table.
    var constraints: [String] = []
    /// The reason why the features cannot be on one table.
    private(set) var contradiction: String?

    mutating func require(_ key: Key) {
        if self.key != .integer, self.key != key { contradiction = "one table has one primary key" }
        self.key = key
    }

    mutating func require(_ reference: Reference) {
        if self.reference != nil, self.reference != reference { contradiction = "one column has one foreign key" }
        self.reference = reference
    }

    mutating func require(_ dates: Dates) {
        if self.dates != .standard, self.dates != dates { contradiction = "one column has one form of dates" }
        self.dates = dates
    }

    /// Checks what no table of SQLite can have, and what the guides exclude.
    mutating func close() {
        if isStrict, key == .untyped { contradiction = "each column of a STRICT table has a type" }
        if isWithoutRowID, key == .autoincrement { contradiction = "AUTOINCREMENT is of tables with a rowid" }
        if key == .composite, !parentColumns.isEmpty { contradiction = "a column refers to a key of one column" }
        if hasJSON, readsBytes { contradiction = "a record that reads bytes reads no text of JSON" }
        if hasJSON, hasBlobs { contradiction = "bytes in the middle of a text of JSON are not JSON" }
        // The guide "Full-text search": the newer trigger runs first, and the index then removes a row that it never had.
        if hasNewerTouch, hasConditionalIndex {
            contradiction = "a trigger that updates the row again is older than a search table with a condition"
        }
    }

    /// Whether `items` has columns whose values the model does not have.
    var hasColumnsOfFeatures: Bool { !addedColumns.isEmpty || !parentColumns.isEmpty }

    /// Whether the key of `items` is its rowid.
    var hasRowIDKey: Bool {
        !isWithoutRowID && (key == .integer || key == .autoincrement)
    }

    /// The columns of `items`, of which `Item` has a property each.
    static let columns = ["id", "part", "name", "price", "note", "owner", "stars", "code", "seen", "data"]

    /// The statements that create the common tables of a twin or a replica.
    var definition: String { definition(lateColumns) }

    /// The statements that create the common tables of the database, which gets some columns later.
    var firstDefinition: String { ([definition([])] + firstTriggers).joined(separator: "; ") }

    private func definition(_ lateColumns: [String]) -> String {
        let keyType =
            switch key {
            case .text, .uuid: "TEXT"
            case .untyped: ""
            case .integer, .autoincrement, .composite: "INTEGER"
            }
        let keyConstraint =
            switch key {
            case .composite: " NOT NULL"
            case .autoincrement: " PRIMARY KEY AUTOINCREMENT"
            case .integer, .untyped, .text, .uuid: " NOT NULL PRIMARY KEY"
            }
        var lines = [
            "id \(keyType)\(keyCollation.map { " COLLATE \($0)" } ?? "")\(keyConstraint)", "part INTEGER NOT NULL",
            "name TEXT NOT NULL" + (collation.map { " COLLATE \($0)" } ?? ""), "price REAL", "note TEXT",
            "owner INTEGER" + (reference == .setDefault ? " DEFAULT 0" : "")
                + (reference.map { " REFERENCES authors(id) \($0.rawValue)" } ?? ""),
            "stars INTEGER NOT NULL DEFAULT 7", "code INTEGER UNIQUE", "seen \(dateType)",
            "data \(hasJSON ? "TEXT" : "BLOB")",
        ]
        lines += parentColumns.map { "\($0) \(keyType) REFERENCES items(id) ON DELETE SET NULL ON UPDATE CASCADE" }
        lines += addedColumns + lateColumns
        if key == .composite { lines.append("PRIMARY KEY(part, id)") }
        lines += constraints
        let options = [isStrict ? "STRICT" : nil, isWithoutRowID ? "WITHOUT ROWID" : nil].compactMap(\.self)
        let end = options.isEmpty ? "" : " " + options.joined(separator: ", ")
        return """
            CREATE TABLE authors(id INTEGER PRIMARY KEY, name TEXT NOT NULL); \
            CREATE TABLE items(\(lines.joined(separator: ", ")))\(end)
            """
    }

    /// Returns a date as SQL in the form of the column `seen`.
    func sql(_ date: Date?) -> String {
        guard let date else { return "NULL" }
        let seconds = Int(date.timeIntervalSince1970)
        return switch dates {
        case .standard: "strftime('%Y-%m-%dT%H:%M:%f', \(seconds), 'unixepoch')"
        case .unixTime: "\(date.timeIntervalSince1970)"
        case .unixMilliseconds: "\(seconds * 1_000)"
        case .julianDay: "julianday(\(seconds), 'unixepoch')"
        }
    }

    private var dateType: String {
        switch dates {
        case .standard: "TEXT"
        case .unixMilliseconds: "INTEGER"
        case .unixTime, .julianDay: "REAL"
        }
    }

    /// Returns bytes as SQL in the form of the column `data`.
    func sql(_ data: Data?) -> String {
        guard let data else { return "NULL" }
        return hasJSON ? "'\"\(data.base64EncodedString())\"'" : data.sqlBlob
    }

    /// Returns the condition of a row.
    func condition(_ id: Int64) -> String {
        key == .composite ? "part = \(id % 3) AND id = \(id)" : "id = \(key.sql(id))"
    }
}

extension UUID {
    /// Makes the UUID that stands for the key with a number.
    init(number: Int64) {
        self.init(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, UInt8(number >> 8 & 255), UInt8(number & 255)))
    }
}
