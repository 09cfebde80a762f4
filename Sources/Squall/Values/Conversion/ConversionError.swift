#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error for a value in a row that does not have the requested type.
public struct ConversionError: Error, Sendable {
    public enum Reason: Hashable, Sendable {
        /// NULL where a value is required.
        case null
        /// A value of another storage class: TEXT as a number, INTEGER as a `String`.
        case storageClass
        /// A number that the type cannot hold exactly.
        case outOfRange
        /// TEXT that is not valid UTF-8. ``ConversionError/value`` has its bytes as a `malformedText`.
        case invalidUTF8
        /// A value of the right storage class that the type rejects: a name without an `enum` case, or JSON that does
        /// not decode.
        case unacceptable
        /// A column that the row does not have.
        case noSuchColumn
        /// A query without a row where one is required.
        case noRow
        /// SQLite had no memory to convert the value to UTF-8, or to make the bytes of a `zeroblob`. The error matches
        /// ``ResultCode/outOfMemory``.
        case outOfMemory
    }

    public let reason: Reason

    /// The requested Swift type.
    public internal(set) var expected: String

    /// The storage class that was found, or `nil` without a value.
    public let found: Row.Column.DataType?

    /// The value that was found.
    public let value: BindingValue?

    /// The index of the column, from 0.
    public let columnIndex: Int?

    /// The name of the column.
    public let columnName: String?

    /// The table, when it is known.
    public let tableName: String?

    /// The SQL of the query.
    public internal(set) var sql: String?

    /// The error of the `Decodable` type, or of the JSON in the column, that caused this one. It may contain the value.
    public internal(set) var decodingError: DecodingError?
}

extension ConversionError {
    package func with(sql: String) -> ConversionError {
        var error = self
        error.sql = sql
        return error
    }
}

extension ConversionError: ErrorWithCode {
    var matchingCode: ResultCode? { reason == .outOfMemory ? .outOfMemory : nil }
}

extension ConversionError: CustomStringConvertible, LocalizedError {
    /// One sentence: the column, the expected type, what was found, and the SQL. Only numbers are shown as values.
    @_documentation(visibility: internal)
    public var description: String {
        var parts: [String] = []
        if let columnIndex {
            parts.append("column \(columnIndex)" + (columnName.map { " \"\($0)\"" } ?? ""))
        } else if let columnName {
            parts.append("column \"\(columnName)\"")
        }
        if let tableName { parts.append((parts.popLast() ?? "a column") + " of table \"\(tableName)\"") }
        parts.append("expected \(expected), \(finding)")
        return parts.joined(separator: ": ") + (sql.map { " in: \($0)" } ?? "")
    }

    @_documentation(visibility: internal)
    public var errorDescription: String? { description }

    private var finding: String {
        switch reason {
        case .null: "found NULL"
        case .storageClass where expected == "Float" && found == .blob:
            "found BLOB: a vector is read as [[Float]], or as [Float] in a tuple or a property"
        case .storageClass: "found \(storage)"
        case .outOfRange: "found \(storage), which does not fit"
        case .invalidUTF8: "found TEXT that is not valid UTF-8"
        case .unacceptable:
            "found \(storage) that it does not accept" + (decodingError?.summary.map { ": \($0)" } ?? "")
        case .noSuchColumn: "but there is no such column"
        case .noRow: "found no row"
        case .outOfMemory: "found \(storage), and SQLite had no memory to convert it"
        }
    }

    private var storage: String {
        switch value {
        case .integer(let number): "INTEGER \(number)"
        case .real(let number): "REAL \(number)"
        default: found?.sqlName ?? "a row"
        }
    }
}

/// A type that knows why a text does not decode.
protocol DecodedFromText {
    static func error(decoding text: String) -> DecodingError?
}

extension ConversionError {
    /// Describes why `value` is not a `type`: it does not fit, or it is NULL.
    ///
    /// - Parameter isForm: Whether `type` is the type in which a form stores values. The form can refuse a value that the type accepts.
    init<T: ColumnReadable>(
        _ value: SQLiteValue, expected type: T.Type, isForm: Bool = false, columnIndex: Int?, columnName: String?,
        sql: String?
    ) {
        let found = value.dataType
        let copy = value.bindingValue
        let isNumber = type is any Numeric.Type
        reason =
            switch (found, type.storageClass) {
            case (.null, _): .null
            case _ where value.isOutOfMemory: .outOfMemory
            case _ where isForm && type.fromSQLiteValue(value) != nil: .unacceptable
            // Every valid text is a String, and every BLOB is Data: memory was missing a moment ago.
            case (.text, .text?) where type is String.Type && !copy.isMalformedText: .outOfMemory
            case (.blob, .blob?) where type is Data.Type || type is [UInt8].Type: .outOfMemory
            case (.text, .text?) where copy.isMalformedText: .invalidUTF8
            case (.integer, .integer?), (.integer, .float?), (.float, .integer?), (.float, .float?):
                isNumber || !value.isReadable(as: type.storageClass) ? .outOfRange : .unacceptable
            case (_, nil), (.text, .text?), (.blob, .blob?): .unacceptable
            default: .storageClass
            }
        if reason == .unacceptable, case .text(let text) = copy {
            decodingError = (type as? any DecodedFromText.Type)?.error(decoding: text)
        }
        self.expected = "\(type)"
        self.found = found
        self.value = copy
        self.columnIndex = columnIndex
        self.columnName = columnName
        self.tableName = nil
        self.sql = sql
    }

    /// Describes why a form, which stores its values as a `type`, does not read `value`.
    init<T: ColumnReadable>(_ value: SQLiteValue, inFormOf type: T.Type) {
        self.init(value, expected: type, isForm: true, columnIndex: nil, columnName: nil, sql: nil)
    }

    init(_ reason: Reason, expected: String, columnIndex: Int? = nil, columnName: String? = nil, sql: String?) {
        self.reason = reason
        self.expected = expected
        self.found = nil
        self.value = nil
        self.columnIndex = columnIndex
        self.columnName = columnName
        self.tableName = nil
        self.sql = sql
    }

    /// Describes why a column, or the row if `columnIndex` is `nil`, does not decode as `expected`.
    init(_ error: DecodingError?, expected: Any.Type, columnIndex: Int?, of row: Row) {
        let names = row.storage.layout.names
        let value = columnIndex.flatMap { row.sqliteValue(at: $0) }
        let isOfJSON = value.map { [.text, .blob].contains($0.dataType) } ?? true
        reason = value?.isNull == true ? .null : error != nil || isOfJSON ? .unacceptable : .storageClass
        self.expected = "\(expected)"
        self.found = value?.dataType
        self.value = value?.bindingValue
        self.columnIndex = columnIndex
        self.columnName = columnIndex.flatMap { names.indices.contains($0) ? names[$0] : nil }
        self.tableName = nil
        self.sql = row.storage.layout.sql
        self.decodingError = error
    }
}

extension DecodingError {
    /// The path and the kind of an error in JSON, without the value; `nil` for an error without a path.
    fileprivate var summary: String? {
        switch self {
        case .keyNotFound(let key, let context): "\(path(in: context, key)) is missing"
        case .valueNotFound(let type, let context): "\(path(in: context)) is null instead of \(type)"
        case .typeMismatch(let type, let context): "\(path(in: context)) is not of type \(type)"
        case .dataCorrupted(let context) where path(in: context) == "it":
            context.underlyingError.map { _ in "it is not valid JSON" }
        case .dataCorrupted(let context): "\(path(in: context)) is not valid"
        @unknown default: nil
        }
    }

    /// Returns the path without the column, such as `tags[2].name`.
    private func path(in context: Context, _ key: (any CodingKey)? = nil) -> String {
        let keys = context.codingPath.filter { !($0 is ColumnKey) } + [key].compactMap { $0 }
        let path = keys.reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
        }
        return path.isEmpty ? "it" : path
    }
}

extension ConversionError {
    /// Adds the position of the value to an error.
    init(_ error: ConversionError, columnIndex: Int? = nil, columnName: String?, tableName: String?, sql: String?) {
        reason = error.reason
        expected = error.expected
        found = error.found
        value = error.value
        decodingError = error.decodingError
        self.columnIndex = columnIndex
        self.columnName = columnName
        self.tableName = tableName
        self.sql = sql
    }
}

extension ConversionError {
    /// The error of a column's value that SQLite passes as text.
    package init(ofColumn index: Int, expected: String, _ reason: Reason, text value: BindingValue?) {
        self.init(
            reason: reason, expected: expected, found: value == nil ? .null : .text, value: value, columnIndex: index,
            columnName: nil, tableName: nil, sql: nil)
    }
}

extension SQLiteValue {
    fileprivate func isReadable(as type: Row.Column.DataType?) -> Bool {
        type == .integer ? integer != nil : real != nil
    }
}

extension BindingValue {
    fileprivate var isMalformedText: Bool {
        if case .malformedText = self { true } else { false }
    }
}
