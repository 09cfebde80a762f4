import Foundation
import Squall

extension TableForm {
    /// A column that is computed when it is read, with an index.
    static func virtualColumn(_ suffix: String) -> TableForm {
        TableForm(
            { $0.addedColumns.append("slug_\(suffix) TEXT GENERATED ALWAYS AS (upper(name)) VIRTUAL") },
            statements: ["CREATE INDEX slugs_\(suffix) ON items(slug_\(suffix))"],
            oracle: none("SELECT count(*) FROM items NOT INDEXED WHERE slug_\(suffix) IS NOT upper(name)"))
    }

    /// A column that is computed when it is written.
    static func storedColumn(_ suffix: String) -> TableForm {
        TableForm(
            { $0.addedColumns.append("size_\(suffix) INTEGER GENERATED ALWAYS AS (length(note)) STORED") },
            oracle: none("SELECT count(*) FROM items WHERE size_\(suffix) IS NOT length(note)"))
    }

    /// A date as a number.
    static func dates(_ dates: TableShape.Dates) -> TableForm {
        let type = dates == .unixMilliseconds ? "integer" : "real"
        return TableForm(
            { $0.require(dates) },
            oracle: none("SELECT count(*) FROM items WHERE typeof(seen) NOT IN ('\(type)', 'null')"))
    }

    /// Bytes as a text of JSON.
    static func json() -> TableForm {
        TableForm(
            { $0.hasJSON = true },
            oracle: none("SELECT count(*) FROM items WHERE data IS NOT NULL AND json_type(data) IS NOT 'text'"))
    }

    /// Readers that end their transaction after each call.
    static func withoutHeldReads() -> TableForm {
        TableForm(settings: { $0.configuration.heldReads = false })
    }

    static func strict() -> TableForm {
        TableForm({ $0.isStrict = true })
    }

    static func withoutRowID() -> TableForm {
        TableForm({ $0.isWithoutRowID = true })
    }

    static func key(_ key: TableShape.Key) -> TableForm {
        TableForm({ $0.require(key) })
    }

    /// Keys that are not assigned again.
    static func autoincrement() -> TableForm {
        var greatest: Int64 = 0
        return TableForm(
            { $0.require(.autoincrement) }, change: { model, _ in model.rows.last.map { .delete($0, .record) } },
            oracle: { connection, model in
                greatest = max(greatest, model.items.keys.max() ?? 0)
                let mark: Int64 = try connection.query("SELECT seq FROM sqlite_sequence WHERE name = 'items'")
                try require(mark >= greatest, "the next key is \(mark + 1), and there was \(greatest)")
            })
    }

    static func reference(_ reference: TableShape.Reference) -> TableForm {
        TableForm(
            { $0.require(reference) },
            change: { model, dice in dice.element(of: model.rows.compactMap(\.owner)).map { .deleteAuthor($0) } })
    }

    /// A column with a default that is newer than rows of the file, which do not have it.
    static func lateColumn(_ suffix: String) -> TableForm {
        TableForm(
            { shape in
                shape.lateColumns += ["late_\(suffix) INTEGER NOT NULL DEFAULT 7", "real_\(suffix) REAL DEFAULT 2"]
                if shape.lateColumn == nil { shape.lateColumn = "real_\(suffix)" }
            },
            change: { _, dice in
                .setLate(part: Int64(dice.number(below: 3)), dice.choice(of: [nil, 2, 3.5]))
            },
            oracle: none(
                "SELECT count(*) FROM items WHERE late_\(suffix) IS NOT 7 OR typeof(real_\(suffix)) NOT IN ('real', 'null')"
            ))
    }

    /// A key without a type, in which 1 and 1.0 are equal.
    static func untypedKey() -> TableForm {
        TableForm({ $0.require(.untyped) })
    }

    /// A key that is equal to others with other bytes.
    static func inexactKey() -> TableForm {
        TableForm({ shape in
            shape.require(.text)
            shape.keyCollation = "NOCASE"
        })
    }

    /// An index of some rows, and one of an expression.
    static func partialIndex(_ suffix: String) -> TableForm {
        TableForm(
            statements: [
                "CREATE INDEX marked_\(suffix) ON items(stars) WHERE note IS NOT NULL",
                "CREATE INDEX lengths_\(suffix) ON items(length(name) + 1)",
            ]
        ) { connection, model in
            let count: Int = try connection.query(
                "SELECT count(*) FROM items INDEXED BY \(name: "lengths_\(suffix)") WHERE length(name) + 1 > 0")
            try require(count == model.items.count, "an index of an expression has \(count) rows")
            let marked: Int = try connection.query(
                """
                SELECT count(*) FROM items INDEXED BY \(name: "marked_\(suffix)") \
                WHERE note IS NOT NULL AND stars >= \(Int64.min)
                """)
            let expected = model.rows.count { $0.note != nil }
            try require(marked == expected, "a partial index has \(marked) rows, not \(expected)")
        }
    }

    /// A function of the program in an index and in a CHECK.
    static func function(_ suffix: String) -> TableForm {
        let name = "weight_\(suffix)"
        return TableForm(
            { $0.constraints.append("CHECK(\(name)(name) >= 0)") },
            settings: { settings in
                settings.swift.preparation.append(
                    """
                    try c.addFunction("\(name)", deterministic: true, directOnly: false, innocuous: true) {
                        (text: String) in text.utf8.reduce(0) { $0 + Int($1) }
                    }
                    """)
                settings.preparations.append { connection in
                    try connection.addFunction(name, deterministic: true, directOnly: false, innocuous: true) {
                        (text: String) in text.utf8.reduce(0) { $0 + Int($1) }
                    }
                }
            },
            statements: ["CREATE INDEX weights_\(suffix) ON items(\(name)(name))"]
        ) { connection, model in
            let found: [Int] = try connection.query(
                "SELECT \(raw: name)(name) FROM items INDEXED BY \(name: "weights_\(suffix)") ORDER BY 1")
            let expected = model.rows.map { $0.name.utf8.reduce(0) { $0 + Int($1) } }.sorted()
            try require(found == expected, "the index of a function has \(found), not \(expected)")
        }
    }

    /// A collation of the program in a column, with an index. Another connection replaces names by others that are equal.
    static func collation(_ suffix: String) -> TableForm {
        let name = "by_length"
        return TableForm(
            { $0.collation = name },
            settings: { settings in
                settings.swift.preparation.append(
                    """
                    try c.addCollation("\(name)") { (left: Span<UInt8>, right: Span<UInt8>) in
                        left.count < right.count
                            ? .orderedAscending : left.count > right.count ? .orderedDescending : .orderedSame
                    }
                    """)
                settings.preparations.append { connection in
                    try connection.addCollation(name) { (left: Span<UInt8>, right: Span<UInt8>) in
                        left.count < right.count
                            ? .orderedAscending : left.count > right.count ? .orderedDescending : .orderedSame
                    }
                }
            },
            outsideChange: { change, model in
                guard let row = change.row.flatMap({ model.items[$0.id] }) else { return nil }
                var equal = row
                equal.name = String(repeating: "z", count: row.name.utf8.count)
                return equal == row ? nil : .update(equal, .sql)
            },
            statements: ["CREATE INDEX names_\(suffix) ON items(name)"]
        ) { connection, model in
            let found: [Int] = try connection.query("SELECT length(CAST(name AS BLOB)) FROM items ORDER BY name")
            try require(found == model.rows.map(\.name.utf8.count).sorted(), "the order of a collation: \(found)")
        }
    }

    /// The journal that SQLite rolls back from.
    static func rollbackJournal() -> TableForm {
        TableForm(
            settings: {
                $0.configuration.journalMode = .delete
                $0.swift.configuration.append("configuration.journalMode = .delete")
            },
            oracle: { connection, _ in
                let mode: String = try connection.query("PRAGMA journal_mode")
                try require(mode == "delete" || mode == "memory", "the journal is \(mode)")
            })
    }

    /// Commits of several writers in one.
    static func groupCommit() -> TableForm {
        TableForm(settings: {
            $0.configuration.groupCommit = true
            $0.swift.configuration.append("configuration.groupCommit = true")
        })
    }

    static func memory() -> TableForm {
        TableForm(settings: { $0.isInMemory = true })
    }
}
