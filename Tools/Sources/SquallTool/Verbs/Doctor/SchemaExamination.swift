import Foundation
import Squall

/// Tries the tables, indexes, views and triggers of a schema in memory, and finds those that do not work.
struct SchemaExamination {
    let entries: [SchemaEntry]
    let tables: [TableListing]

    func diagnoses() throws -> [Diagnosis] {
        let image = try SchemaCopy(of: entries, [.table, .view]).connection.serialize()
        let usual = try faults(.sqlite, image)
        var strict = Configuration.sqlite
        strict.doubleQuotedStrings = false
        var untrusted = Configuration.sqlite
        untrusted.trustedSchema = false
        let (unquoted, unsafe) = (try faults(strict, image), try faults(untrusted, image))
        let list = entries.indices.compactMap { index -> Diagnosis? in
            let entry = entries[index]
            if let message = usual[index] { return Self.brokenDiagnosis(entry, message) }
            if let message = unquoted[index] { return Self.quoteDiagnosis(entry, message) }
            return unsafe[index].map { Self.unsafeDiagnosis(entry, $0) }
        }
        guard list.isEmpty else { return list }
        return [
            Diagnosis(
                grade: .ok, subject: "schema",
                message: "its \(entries.count) parts work, also without double-quoted strings and without trust")
        ]
    }
}

// MARK: - Grades

extension SchemaExamination {
    private static func brokenDiagnosis(_ entry: SchemaEntry, _ message: String) -> Diagnosis {
        let isUnknown = MissingExtension(message: message) != nil
        return Diagnosis(
            grade: isUnknown ? .warning : .problem, subject: entry.kind.rawValue, object: entry.name,
            message: isUnknown ? "works only in programs that add something to SQLite: \(message)" : message,
            cure: isUnknown
                ? "add it to every connection that uses the file, also in other programs"
                : message.hasPrefix("unsafe use")
                    ? "avoid it there: SQLite refuses it in a schema"
                    : "DROP \(entry.kind.rawValue.uppercased()) \(entry.name.sqlName), or make what is missing")
    }

    private static func quoteDiagnosis(_ entry: SchemaEntry, _ message: String) -> Diagnosis {
        Diagnosis(
            grade: .warning, subject: entry.kind.rawValue, object: entry.name,
            message: "has a string in double quotes, which SQLite takes for a name where it can (\(message))",
            cure:
                "create it again with the string in single quotes; connections that are opened as recommended refuse it"
        )
    }

    private static func unsafeDiagnosis(_ entry: SchemaEntry, _ message: String) -> Diagnosis {
        // Before version 3.44, SQLite trusted not even its own full-text and R*Tree tables.
        let isTable = message.hasPrefix("unsafe use of virtual table")
        return Diagnosis(
            grade: isTable ? .note : .warning, subject: entry.kind.rawValue, object: entry.name,
            message: "does not work where the schema is not trusted: \(message)",
            cure: isTable
                ? "leave it; SQLite trusts its own virtual tables since version 3.44"
                : "avoid the function there, or mark it as innocuous where it is added")
    }
}

// MARK: - Trials

extension SchemaExamination {
    /// Returns SQLite's messages for the entries that do not work on a connection with the settings, by their positions.
    ///
    /// - Parameter image: A database with the tables and views, so that one that cannot be created with the settings is not
    ///   missing for the others.
    private func faults(_ configuration: Configuration, _ image: Data) throws -> [Int: String] {
        let empty = try SchemaCopy(configuration: configuration)
        let copy = try SchemaCopy(configuration: configuration)
        try copy.connection.deserialize(image)
        var faults: [Int: String] = [:]
        for index in entries.indices where entries[index].isTableOrView {
            faults[index] = try empty.create(entries[index])
            guard faults[index] == nil else { continue }
            let isSelected = entries[index].kind == .view || entries[index].module != nil
            let messages = try messages(copy, entries[index].name)
            faults[index] = isSelected ? messages[0] : messages.compactMap(\.self).first
        }
        for index in entries.indices where !entries[index].isTableOrView {
            faults[index] = try faultOfAdding(entries[index], to: copy)
        }
        return faults
    }

    /// Creates an index or a trigger, and returns the message of the first statement that works only without it.
    private func faultOfAdding(_ entry: SchemaEntry, to copy: SchemaCopy) throws -> String? {
        let before = try messages(copy, entry.table)
        if let message = try copy.create(entry) { return message }
        let after = try messages(copy, entry.table)
        // A trigger on a view replaces one message, that the view cannot be modified, by none or by another.
        let new = zip(before, after).first { $0 != $1 && $1 != nil }?.1
        if new != nil || entry.kind == .trigger { try copy.drop(entry) }
        return new
    }

    /// Returns the messages of the four statements on a table or view: to select, insert, update and delete.
    private func messages(_ copy: SchemaCopy, _ table: String) throws -> [String?] {
        // A broken view has no columns, and its message is that of the first statement.
        let listings = (try? copy.connection.columnListings(of: table)) ?? []
        let columns = listings.filter { !$0.isHidden && !$0.isGenerated }.map(\.name)
        let assignments = columns.map { "\(name: $0) = \(name: table).\(name: $0)" as SQL }.joined(separator: ", ")
        return [
            try copy.messageOfPreparing("SELECT * FROM \(name: table)"),
            try copy.messageOfPreparing("INSERT INTO \(name: table) DEFAULT VALUES"),
            try columns.isEmpty ? nil : copy.messageOfPreparing("UPDATE \(name: table) SET \(assignments)"),
            try copy.messageOfPreparing("DELETE FROM \(name: table)"),
        ]
    }
}
