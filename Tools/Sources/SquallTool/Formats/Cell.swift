import Foundation
import Squall

/// A value of a result, by storage class. TEXT that is not valid UTF-8 is a separate case, and is shown as bytes.
enum Cell: Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
    case malformedText(Data)
}

extension Cell: ColumnReadable {
    static var storageClass: Row.Column.DataType? { nil }

    static func fromSQLiteValue(_ value: SQLiteValue) -> Cell? {
        switch value.dataType {
        case .null: .null
        case .integer: value.integer.map { .integer($0) }
        case .float: value.real.map { .real($0) }
        case .text: value.text.map { .text($0) } ?? value.data.map { .malformedText($0) }
        case .blob: value.data.map { .blob($0) }
        }
    }
}

extension Row {
    /// All values of the row.
    var cells: [Cell] {
        (0..<columnCount).map { index in
            let cell: Cell? = self[index]
            return cell ?? .null
        }
    }
}

extension Double {
    /// The shortest decimal notation that reads back as the same value; infinity as SQLite writes it.
    var notation: String {
        isInfinite ? (self < 0 ? "-Inf" : "Inf") : "\(self)"
    }
}

extension Data {
    /// The bytes as an SQL literal: `x'0102ff'`.
    var blobLiteral: String { "x'\(hexadecimal)'" }

    /// The bytes in hexadecimal, two digits each.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
