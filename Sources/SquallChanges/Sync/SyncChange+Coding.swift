#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall
import SquallSQLite

// Changes are stored as changesets in SQLite's format, whose updates have the values of all columns. They are read by Swift, which
// checks every byte, because batches come from strangers.

extension [SyncChange] {
    /// The changes as a changeset.
    var changesetData: Data {
        var writer = ValueWriter()
        var last: SyncChange?
        for change in self {
            if last?.table != change.table || last?.isKey != change.isKey {
                writer.write(UInt8(ascii: "T"))
                writer.write(length: change.isKey.count)
                writer.write(change.isKey.map { $0 ? 1 : 0 as UInt8 })
                writer.write(change.table.utf8)
                writer.write(0 as UInt8)
                last = change
            }
            writer.write(UInt8(truncatingIfNeeded: change.operation.code))
            writer.write(0 as UInt8)
            for value in change.old ?? [] { writer.write(value) }
            for (value, isKey) in zip(change.new ?? [], change.isKey) {
                // As in SQLite's changesets: the key of an updated row is among its old values only.
                writer.write(change.operation == .update && isKey ? nil : value)
            }
        }
        return Data(writer.bytes)
    }

    /// Reads changes.
    ///
    /// - Parameters:
    ///   - data: A changeset.
    ///   - origin: The replica that made the changes.
    ///   - tables: The tables, with the columns that the changes have, or more at the end.
    /// - Throws: `SQLiteError`, with a ``SyncProblem``.
    init(changeset data: some Sequence<UInt8>, origin: String, tables: [Identifier: SyncTable]) throws {
        self = []
        var reader = SyncReader(data)
        var table: SyncTable?
        var count = 0
        while !reader.isAtEnd {
            let first = try reader.byte()
            if first == UInt8(ascii: "T") {
                count = try reader.length()
                let isKey = try reader.take(count).map { $0 != 0 }
                let name = try reader.name()
                guard let found = tables[Identifier(name)] else {
                    throw SQLiteError(SyncProblem.unknownTable, of: .table(name))
                }
                guard count > 0, found.isKey.prefix(count).elementsEqual(isKey),
                    !found.isKey.dropFirst(count).contains(true)
                else { throw SyncReader.damagedError }
                table = found
                continue
            }
            guard let table, let operation = Connection.UpdateHookType(code: Int32(first)) else {
                throw SyncReader.damagedError
            }
            _ = try reader.byte()
            append(try SyncChange(operation, &reader, table, count, origin))
        }
    }
}

extension SyncChange {
    fileprivate init(
        _ operation: Connection.UpdateHookType, _ reader: inout SyncReader, _ table: SyncTable, _ count: Int,
        _ origin: String
    ) throws {
        func row(_ fallback: [BindingValue]?, _ reader: inout SyncReader) throws -> [BindingValue] {
            try (0..<count).map { index in
                let value = try reader.value()
                guard let value = value ?? (table.isKey[index] ? fallback?[index] : nil) else {
                    throw SyncReader.damagedError
                }
                return value
            }
        }
        let old = operation == .insert ? nil : try row(nil, &reader)
        let new = operation == .delete ? nil : try row(old, &reader)
        self.init(table, origin: origin, old: old, new: new)
        if key.hasNull || operation == .update && RowKey(old ?? [], isKey) != key { throw SyncReader.damagedError }
    }
}

extension Connection.UpdateHookType {
    /// SQLite's code of the kind.
    var code: Int32 {
        switch self {
        case .insert: SQLITE_INSERT
        case .update: SQLITE_UPDATE
        case .delete: SQLITE_DELETE
        }
    }
}
