#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SquallSQLite

/// A table of a changeset: its name, and which of its columns are the primary key.
struct ChangesetHeader: Equatable {
    let table: String
    let isKey: [Bool]
}

/// Reads the tables of a changeset, which are before the changes of each table, and skips the changes.
///
/// SQLite applies nothing to a table that does not fit, and does not say so. Its iterator would copy all values to find the tables.
/// Reading ends at the first byte that is none of a changeset, which SQLite then reports.
struct ChangesetHeaders: Sequence, IteratorProtocol {
    private var bytes: UnsafeRawBufferPointer.SubSequence

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes[...]
    }

    mutating func next() -> ChangesetHeader? {
        guard let kind = bytes.popFirst(), kind == UInt8(ascii: "T") || kind == UInt8(ascii: "P"),
            let count = varint(), count <= bytes.count
        else { return nil }
        let isKey = bytes.prefix(count).map { $0 != 0 }
        bytes = bytes.dropFirst(count)
        guard let end = bytes.firstIndex(of: 0) else { return nil }
        let table = String(decoding: bytes[..<end], as: UTF8.self)
        bytes = bytes[(end + 1)...]
        skipChanges(isKey, isPatchset: kind == UInt8(ascii: "P"))
        return ChangesetHeader(table: table, isKey: isKey)
    }

    private mutating func skipChanges(_ isKey: [Bool], isPatchset: Bool) {
        while let operation = bytes.first, operation != UInt8(ascii: "T"), operation != UInt8(ascii: "P") {
            bytes = bytes.dropFirst(2)
            let isUpdate = Int32(operation) == SQLITE_UPDATE
            let isDelete = Int32(operation) == SQLITE_DELETE
            let count =
                switch (isPatchset, isUpdate, isDelete) {
                case (true, _, true): isKey.count { $0 }
                case (false, true, _): 2 * isKey.count
                default: isKey.count
                }
            for _ in 0..<count { skipValue() }
        }
    }

    private mutating func skipValue() {
        switch bytes.popFirst().map(Int32.init) {
        case SQLITE_INTEGER, SQLITE_FLOAT: bytes = bytes.dropFirst(8)
        case SQLITE_TEXT, SQLITE_BLOB: bytes = bytes.dropFirst(varint() ?? bytes.count)
        default: break
        }
    }

    /// Reads a number in SQLite's variable form of at most 5 bytes of seven bits.
    private mutating func varint() -> Int? {
        var number = 0
        for _ in 0..<5 {
            guard let byte = bytes.popFirst() else { return nil }
            number = number << 7 | Int(byte & 0x7f)
            if byte < 0x80 { return number }
        }
        return nil
    }
}
