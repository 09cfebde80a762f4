import Squall

/// A copy of a schema in memory, without rows. Statements can be prepared there with other settings, or with another index,
/// and the file is not touched.
struct SchemaCopy {
    let connection: Connection

    /// Opens an empty database in memory.
    init(configuration: Configuration = .sqlite) throws {
        connection = try Connection(":memory:", configuration: configuration).withExtensions()
    }

    /// Makes a copy of the entries of some kinds. What only an application adds to SQLite is replaced by something that does
    /// nothing. An entry that still cannot be made is left out.
    init(of entries: [SchemaEntry], _ kinds: [SchemaEntry.Kind] = [.table, .index, .view]) throws {
        try self.init()
        for kind in kinds {
            for entry in entries where entry.kind == kind {
                var seen: Set<String> = []
                while let message = try create(entry), seen.insert(message).inserted, try addStandIn(for: message) {}
            }
        }
    }

    /// Adds the function or the collation that SQLite's message names as missing. Returns whether it did.
    private func addStandIn(for message: String) throws -> Bool {
        switch MissingExtension(message: message) {
        case .function(let name):
            try connection.addFunction(name, deterministic: true, directOnly: false) { (_: [BindingValue]) in 0 }
        case .collation(let name):
            try connection.addCollation(name) {
                $0 < $1 ? .orderedAscending : $0 > $1 ? .orderedDescending : .orderedSame
            }
        case .module, .tokenizer, .collationOfKey, nil: return false
        }
        return true
    }

    /// Runs the CREATE statement, and returns SQLite's message if it fails.
    func create(_ entry: SchemaEntry) throws -> String? {
        try message { try connection.run(SQL(raw: entry.sql)) }
    }

    func drop(_ entry: SchemaEntry) throws {
        try connection.run("DROP \(raw: entry.kind.rawValue.uppercased()) \(name: entry.name)")
    }

    /// Returns SQLite's message for a statement that cannot be prepared.
    func messageOfPreparing(_ sql: SQL) throws -> String? {
        try message { _ = try connection.prepare(sql) }
    }

    private func message(_ body: () throws -> Void) throws -> String? {
        do {
            try body()
            return nil
        } catch let error as SQLiteError {
            return error.message
        }
    }
}
