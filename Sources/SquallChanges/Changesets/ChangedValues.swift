import Squall
import SquallSQLite

/// The values of a row in a change. Columns that the change does not have are `nil`.
///
///     for change in try changes.elements where change.operation == .update {
///         let before = change.old["price"], after = change.new["price"]
///         let price = try change.new.get("price", as: Int.self)
///     }
public struct ChangedValues: Sendable {
    private let storage: Storage
    /// The names of the columns; empty if they are not known.
    public let columnNames: [String]

    init(count: Int, names: [String], _ value: (Int) throws -> OpaquePointer?) throws {
        storage = Storage()
        columnNames = names
        for index in 0..<count { try storage.append(value(index)) }
    }

    /// The number of columns, with those that the change does not have.
    public var count: Int { storage.values.count }

    /// The value of a column as SQLite stores it; `nil` if the change does not have it.
    public subscript(index: Int) -> BindingValue? {
        value(at: index).map { SQLiteValue($0).bindingValue }
    }

    /// The value of a column as SQLite stores it; `nil` if the change does not have it, and if the columns have no names.
    public subscript(name: String) -> BindingValue? {
        index(of: name).flatMap { self[$0] }
    }

    /// Returns the value of a column, or `nil` if the change does not have it.
    ///
    /// - Throws: `ConversionError` if the value does not fit, and for NULL if the type is not optional.
    public func get<Value: FunctionArgument>(_ name: String, as type: Value.Type = Value.self) throws -> Value? {
        try index(of: name).flatMap { try get($0) }
    }

    /// Returns the value of a column, or `nil` if the change does not have it.
    ///
    /// - Throws: As ``get(_:as:)-(String,_)``.
    public func get<Value: FunctionArgument>(_ index: Int, as type: Value.Type = Value.self) throws -> Value? {
        guard let value = value(at: index) else { return nil }
        do { return try Value.fromArgument(SQLiteValue(value)) } catch { throw error.reason }
    }

    /// SQLite's value of a column; `nil` if the change does not have it. The values must outlive its use.
    func value(at index: Int) -> OpaquePointer? {
        storage.values.indices.contains(index) ? storage.values[index] : nil
    }

    private func index(of name: String) -> Int? {
        let name = Identifier(name)
        return columnNames.firstIndex { Identifier($0) == name }
    }

    var bindingValues: [BindingValue?] { (0..<count).map { self[$0] } }

    /// Copies of SQLite's values.
    // They are read by threads at once: `append` lets SQLite write the end of a text, which is the only change that reading makes.
    private final class Storage: @unchecked Sendable {
        private(set) var values: [OpaquePointer?] = []

        func append(_ value: OpaquePointer?) throws {
            let copy = sqlite3_value_dup(value)
            if value != nil, copy == nil { throw Changeset.error(SQLITE_NOMEM) }
            if let copy, sqlite3_value_type(copy) == SQLITE_TEXT { sqlite3_value_text(copy) }
            values.append(copy)
        }

        deinit {
            for value in values { sqlite3_value_free(value) }
        }
    }
}

extension ChangedValues: Hashable {
    /// Compares the values, and not the names of the columns.
    public static func == (left: ChangedValues, right: ChangedValues) -> Bool {
        left.bindingValues == right.bindingValues
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(bindingValues) }
}

extension ChangedValues: CustomStringConvertible {
    /// The values, with the names of their columns where they are known.
    public var description: String {
        let values = (0..<count).compactMap { index -> String? in
            guard let value = self[index] else { return nil }
            let name = columnNames.indices.contains(index) ? columnNames[index] : "column \(index)"
            return "\(name) = \(("\(value)" as SQL).withLiterals.text)"
        }
        return "(" + values.joined(separator: ", ") + ")"
    }
}

extension Changeset {
    /// The change of one row.
    public struct Change: Hashable, Sendable {
        /// The table of the row.
        public let table: String
        /// The kind of the change.
        public let operation: Connection.UpdateHookType
        /// Whether only triggers and foreign keys have changed the row, or whether it was recorded as indirect.
        public let isIndirect: Bool
        /// The positions of the columns of the primary key.
        public let keyColumns: [Int]
        /// The values before the change: those of all columns of a deleted row, the primary key and the changed columns of an
        /// updated one, and none of an inserted one. A patchset has only the primary key.
        public let old: ChangedValues
        /// The values after the change: those of all columns of an inserted row, the changed columns of an updated one, and none of
        /// a deleted one.
        public let new: ChangedValues
    }
}

extension Changeset.Change: CustomStringConvertible {
    public var description: String {
        switch operation {
        case .insert: "insert into \(table): \(new)"
        case .update: "update \(table): \(old) to \(new)"
        case .delete: "delete from \(table): \(old)"
        }
    }
}
