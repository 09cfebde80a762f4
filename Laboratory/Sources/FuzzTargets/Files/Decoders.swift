import Foundation
import Squall

/// All ways of reading a value, for all rows of a query.
struct Decoders {
    let connection: Connection
    let query: SQL

    func run() throws {
        var kept: [Row] = []
        try connection.forEach(query) { row in
            try check(row)
            kept.append(row)
        }
        // Rows that are kept are copied.
        for row in kept { try check(row) }
        let rows: [Row] = try connection.query(query)
        for (first, second) in zip(rows, kept) {
            let (one, two) = (first.columns.map(\.bindingValue), second.columns.map(\.bindingValue))
            try requireEqual(one, two, "a row that was kept, and one of the result of \(query)")
        }
    }

    private func check(_ row: Row) throws {
        let copy = try requireRow(row)
        for column in row.columns {
            try requireEqual(column.bindingValue, copy[column.index], "column \(column.name)")
            try read(Int64.self, column, row)
            try read(Int8.self, column, row)
            try read(UInt.self, column, row)
            try read(Bool.self, column, row)
            try read(Double.self, column, row)
            try read(Float.self, column, row)
            try read(Decimal.self, column, row)
            try read(String.self, column, row)
            try read(Data.self, column, row)
            try read([UInt8].self, column, row)
            try read(UUID.self, column, row)
            try read(URL.self, column, row)
            try read(Date.self, column, row)
            try read(UnixTime.self, column, row)
            try read(UnixMilliseconds.self, column, row)
            try read(JulianDay.self, column, row)
            try checkStorageClass(column, row)
            try checkSpans(column, row)
        }
    }

    private func requireRow(_ row: Row) throws -> [BindingValue] {
        try requireEqual(row.columnCount, row.columns.count, "the number of columns")
        return row.columns.map(\.bindingValue)
    }

    /// Reads a value by index, by name and by `get`: all of them are the same.
    private func read<Value: ColumnReadable & Equatable>(_ type: Value.Type, _ column: Row.Column, _ row: Row) throws {
        let value: Value? = row[column.index]
        var checked: Value?
        do { checked = try row.get(column.index, as: Value.self) as Value } catch is ConversionError {}
        try requireEqual(value, checked, "\(type) of column \(column.name)")
        let named: Value? = row[column.name]
        // The first of two columns with the same name is read by it.
        if row.columns.count(where: { $0.name.lowercased() == column.name.lowercased() }) == 1 {
            try requireEqual(value, named, "\(type) of column \(column.name), by its name")
        }
    }

    private func checkStorageClass(_ column: Row.Column, _ row: Row) throws {
        switch column.bindingValue {
        case .null:
            try require(row[column.index] as Data? == nil && row.value(at: column.index) == nil, "a value for NULL")
        case .integer(let value): try requireEqual(row[column.index], value, "INTEGER")
        case .real(let value):
            let read: Double? = row[column.index]
            try requireEqual(read?.bitPattern, value.bitPattern, "REAL")
        case .text(let value):
            let read: String? = row[column.index]
            try require(read?.utf8.elementsEqual(value.utf8) == true, "TEXT \(value.debugDescription)")
        case .blob(let value), .malformedText(let value): try requireEqual(row[column.index], value, "BLOB")
        }
    }

    private func checkSpans(_ column: Row.Column, _ row: Row) throws {
        let bytes: [UInt8]?? = try allowingErrors {
            try row.withBytes(column.index) { (span: RawSpan) in span.withUnsafeBytes { Array($0) } }
        }
        let data: Data? = row[column.index]
        try requireEqual(bytes.flatMap { $0 }.map { Data($0) }, data, "the bytes of column \(column.name)")
        let text: [UInt8]?? = try allowingErrors {
            try row.withUTF8(column.index) { (span: Span<UInt8>) in span.withUnsafeBufferPointer { Array($0) } }
        }
        let string: String? = row[column.index]
        try requireEqual(text.flatMap { $0 }, string.map { Array($0.utf8) }, "the text of column \(column.name)")
    }
}
