#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall
import SquallSQLite

/// A table of a changeset: its name, its columns, and which of them are the primary key.
struct ChangesetHeader {
    let table: String
    /// The position of each column in the primary key, from 1; 0 for other columns.
    let keyPositions: [UInt8]
    let isPatchset: Bool
}

/// Checks the bytes of a changeset, whole or in parts, and finds its tables, which stand before the changes of each.
///
/// SQLite does not check the length of values when it combines, inverts or rebases changesets, and reads memory that is not theirs: 3.40
/// crashed within a second of random bytes. Nor does it compare the columns of two tables with one name that follow each other. It applies
/// nothing to a table that does not fit, and does not report it.
struct ChangesetScanner {
    private var table: ChangesetHeader?
    /// The values of the current change that are left.
    private var values = 0
    /// The number of values of the current change.
    private var valueCount = 0
    /// Whether the values of the current change are those of the primary key alone.
    private var hasOnlyKeys = false
    /// The bytes of the current value that are left.
    private var rest = 0
    /// The bytes of the current change, which SQLite counts in 32 bits.
    private var changeSize = 0
    /// The bytes of an item that is not complete.
    private var pending: [UInt8] = []
    /// The storage classes that the columns of the current table have until now.
    private var currentClasses: [StorageClasses] = []
    private var classesOfTables: [Identifier: [StorageClasses]] = [:]
    /// The position of each column in the primary key, of the tables until now.
    private var keysOfTables: [Identifier: [UInt8]] = [:]

    /// A set of storage classes: a bit for each of SQLite's numbers.
    struct StorageClasses: OptionSet {
        let rawValue: UInt8

        static let integer = Self(rawValue: 1 << UInt8(SQLITE_INTEGER))
        static let real = Self(rawValue: 1 << UInt8(SQLITE_FLOAT))
        static let text = Self(rawValue: 1 << UInt8(SQLITE_TEXT))
    }

    /// The storage classes that the columns of the tables have until now, before or after a change.
    var storageClasses: [Identifier: [StorageClasses]] {
        var classes = classesOfTables
        if let table { classes[Identifier(table.table)] = currentClasses }
        return classes
    }

    /// Whether the bytes until now end in the changes of a patchset.
    var isPatchset: Bool { pending.first == UInt8(ascii: "P") || table?.isPatchset == true }

    /// Continues with the next bytes, and calls a closure for each table.
    ///
    /// - Throws: `SQLiteError`, `SQLITE_CORRUPT` (11), for bytes that are not part of a changeset; the error of the closure.
    mutating func scan(_ bytes: UnsafeRawBufferPointer, _ found: (ChangesetHeader) throws -> Void) throws {
        if pending.isEmpty {
            let count = try parse(bytes, found)
            pending = Array(bytes[count...])
        } else {
            pending += bytes
            let joined = pending
            pending = []
            try joined.withUnsafeBytes { pending = Array($0[try parse($0, found)...]) }
        }
    }

    /// Ends the bytes.
    ///
    /// - Throws: `SQLiteError`, `SQLITE_CORRUPT` (11), if a change or a table is not complete.
    func finish() throws {
        if rest > 0 || values > 0 || !pending.isEmpty { throw Self.damaged }
    }

    private static var damaged: SQLiteError { SQLiteError(ChangesetProblem.damaged) }

    /// Takes whole items.
    ///
    /// - Returns: The number of bytes of the items.
    private mutating func parse(
        _ bytes: UnsafeRawBufferPointer, _ found: (ChangesetHeader) throws -> Void
    ) throws -> Int {
        var index = 0
        while index < bytes.count {
            if rest > 0 {
                let skipped = min(rest, bytes.count - index)
                rest -= skipped
                index += skipped
            } else if values > 0 {
                guard let count = try takeValue(bytes, index) else { return index }
                index += count
            } else if bytes[index] == UInt8(ascii: "T") || bytes[index] == UInt8(ascii: "P") {
                guard let count = try takeTable(bytes, index, found) else { return index }
                index += count
            } else {
                guard bytes.count - index >= 2 else { return index }
                try beginChange(bytes[index])
                index += 2
            }
        }
        return index
    }

    /// The storage class, and the length of a text or a BLOB.
    ///
    /// - Returns: The number of bytes before those of the value; `nil` if bytes are missing.
    private mutating func takeValue(_ bytes: UnsafeRawBufferPointer, _ start: Int) throws -> Int? {
        var size = 1
        switch Int32(bytes[start]) {
        case SQLITE_INTEGER, SQLITE_FLOAT: rest = 8
        // NULL, and a column that the change does not have.
        case SQLITE_NULL, 0:
            if isOfKey { throw Self.damaged }
            rest = 0
        case SQLITE_TEXT, SQLITE_BLOB:
            guard let length = try number(bytes, start + 1) else { return nil }
            rest = length.number
            size += length.size
        default: throw Self.damaged
        }
        // A row that is deleted by its key alone stores nothing.
        if !hasOnlyKeys {
            let column = valueCount - values
            let count = currentClasses.count
            currentClasses[column < count ? column : column - count].formUnion(.init(rawValue: 1 << bytes[start]))
        }
        values -= 1
        changeSize += size + rest
        if changeSize > Int32.max { throw Self.damaged }
        return size
    }

    /// Whether the next value is one of the primary key of the row. It is never NULL: SQLite would read it as a text, beyond its end.
    private var isOfKey: Bool {
        guard let positions = table?.keyPositions, !hasOnlyKeys else { return true }
        let index = valueCount - values
        return index < positions.count && positions[index] != 0
    }

    /// Reads the header of a table: `T` or `P`, the number of columns, a byte for each, and the name with its NUL.
    ///
    /// - Returns: The number of bytes; `nil` if bytes are missing.
    private mutating func takeTable(
        _ bytes: UnsafeRawBufferPointer, _ start: Int, _ found: (ChangesetHeader) throws -> Void
    ) throws -> Int? {
        guard let count = try number(bytes, start + 1) else { return nil }
        // The largest number that SQLite accepts.
        guard (1...65_536).contains(count.number) else { throw Self.damaged }
        let keys = start + 1 + count.size
        let name = keys + count.number
        guard name < bytes.count, let end = bytes[name...].firstIndex(of: 0) else { return nil }
        let letters = UnsafeRawBufferPointer(rebasing: bytes[name..<end])
        guard let text = letters.withMemoryRebound(to: UInt8.self, { String(checking: $0) }) else { throw Self.damaged }
        let header = ChangesetHeader(
            table: text, keyPositions: Array(bytes[keys..<name]), isPatchset: bytes[start] == UInt8(ascii: "P"))
        let known = keysOfTables.updateValue(header.keyPositions, forKey: Identifier(text))
        if let known, known != header.keyPositions { throw Self.damaged }
        classesOfTables = storageClasses
        table = header
        currentClasses = classesOfTables[Identifier(text)] ?? []
        let missing = header.keyPositions.count - currentClasses.count
        if missing > 0 { currentClasses += Array(repeating: [], count: missing) }
        try found(header)
        return end + 1 - start
    }

    private mutating func beginChange(_ operation: UInt8) throws {
        guard let table else { throw Self.damaged }
        changeSize = 0
        let columnCount = table.keyPositions.count
        hasOnlyKeys = table.isPatchset && Int32(operation) == SQLITE_DELETE
        switch Int32(operation) {
        case SQLITE_INSERT: values = columnCount
        case SQLITE_UPDATE: values = table.isPatchset ? columnCount : 2 * columnCount
        case SQLITE_DELETE: values = hasOnlyKeys ? table.keyPositions.count { $0 != 0 } : columnCount
        default: throw Self.damaged
        }
        valueCount = values
    }

    /// Reads a number in SQLite's variable form of at most 5 bytes of seven bits.
    ///
    /// - Returns: The number and its size; `nil` if bytes are missing.
    private func number(_ bytes: UnsafeRawBufferPointer, _ start: Int) throws -> (number: Int, size: Int)? {
        var number = 0
        for size in 1...5 {
            guard start + size <= bytes.count else { return nil }
            let byte = bytes[start + size - 1]
            number = number << 7 | Int(byte & 0x7f)
            if byte < 0x80 {
                if number > Int32.max { break }
                return (number, size)
            }
        }
        throw Self.damaged
    }
}

extension Data {
    /// Calls a closure for each table of a changeset.
    ///
    /// - Returns: The storage classes of the columns of the tables.
    /// - Throws: `SQLiteError`, `SQLITE_CORRUPT` (11), if the bytes are not a changeset; the error of the closure.
    @discardableResult
    func forEachTable(
        _ body: (ChangesetHeader) throws -> Void
    ) throws -> [Identifier: [ChangesetScanner.StorageClasses]] {
        var scanner = ChangesetScanner()
        try withUnsafeBytes { try scanner.scan($0, body) }
        try scanner.finish()
        return scanner.storageClasses
    }

    /// Calls a closure with the bytes of a changeset as SQLite's functions take them. They only read them.
    ///
    /// - Parameter isChecked: Whether the bytes are known to be a changeset.
    /// - Throws: `SQLiteError`: `SQLITE_CORRUPT` (11) for bytes that are not a changeset; `SQLITE_TOOBIG` (18) for 2 GiB and more.
    func withChangesetBytes<Result>(
        isChecked: Bool, _ body: (UnsafeMutableRawPointer?, Int32) throws -> Result
    ) throws -> Result {
        guard let count = Int32(exactly: count) else {
            throw SQLiteError(code: SQLITE_TOOBIG, message: "a changeset has at most 2,147,483,647 bytes")
        }
        if !isChecked { try forEachTable { _ in } }
        return try withUnsafeBytes { try body(UnsafeMutableRawPointer(mutating: $0.baseAddress), count) }
    }

    /// Takes bytes that SQLite has allocated, and frees them.
    init(takingChangeset bytes: UnsafeMutableRawPointer?, count: Int32) {
        if let bytes { self.init(bytes: bytes, count: Int(count)) } else { self.init() }
        sqlite3_free(bytes)
    }
}
