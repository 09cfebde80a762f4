import Foundation
import Squall

/// The notation of values as SQL literals, from which SQLite and its shell read the same values.
struct SQLLiteral {
    /// Reads a REAL as SQLite reads it.
    private let reading: Statement

    init(_ connection: Connection) throws {
        reading = try connection.prepare("SELECT CAST(? AS REAL)")
    }

    /// Returns the literal of a value.
    func of(_ cell: Cell) throws -> String {
        var literal: [UInt8] = []
        try append(cell, to: &literal)
        return String(decoding: literal, as: UTF8.self)
    }

    /// Appends the literal of a value.
    func append(_ cell: Cell, to line: inout [UInt8]) throws {
        switch cell {
        case .null: line.append(contentsOf: "NULL".utf8)
        case .integer(let value): line.append(decimal: value)
        case .real(let value): line.append(contentsOf: try notation(of: value).utf8)
        case .text(let value): append(value, to: &line)
        case .blob(let bytes): line.append(contentsOf: bytes.blobLiteral.utf8)
        case .malformedText(let bytes): append(textOf: bytes, to: &line)
        }
    }

    private func append(_ text: String, to line: inout [UInt8]) {
        // A literal ends at NUL, and the shell turns CRLF into LF.
        guard !text.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\r") }) else {
            return append(textOf: Data(text.utf8), to: &line)
        }
        line.append(UInt8(ascii: "'"))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "'") { line.append(byte) }
            line.append(byte)
        }
        line.append(UInt8(ascii: "'"))
    }

    private func append(textOf bytes: Data, to line: inout [UInt8]) {
        line.append(contentsOf: "CAST(\(bytes.blobLiteral) AS TEXT)".utf8)
    }

    private func notation(of value: Double) throws -> String {
        guard value.isFinite else { return value < 0 ? "-9e999" : "9e999" }
        let decimal = value.notation
        // Every SQLite reads a number of few digits correctly. With more, some versions are off by the last bit.
        if decimal.utf8.count <= 16, !decimal.contains("e") { return decimal }
        let read: Double? = try reading.bind(decimal).query()
        return read == value ? decimal : Self.product(value)
    }

    /// Returns a number as an integer multiplied with powers of two, which is exact.
    private static func product(_ value: Double) -> String {
        let isSubnormal = value.exponentBitPattern == 0
        let significand = value.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
        var exponent = Int(max(value.exponentBitPattern, 1)) - 1075
        var text = "(\(value < 0 ? "-" : "")\(significand) * 1.0"
        while exponent != 0 {
            let step = min(abs(exponent), 52)
            text += " \(exponent < 0 ? "/" : "*") \(1 << step).0"
            exponent += exponent < 0 ? step : -step
        }
        return text + ")"
    }
}
