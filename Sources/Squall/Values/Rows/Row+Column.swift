extension Row {
    /// A column of a row, with a copy of its value.
    public struct Column: Sendable, CustomStringConvertible {
        /// A storage class.
        public enum DataType: Hashable, Sendable {
            case integer, float, text, blob, null

            /// The name of the storage class in SQL.
            public var sqlName: String {
                switch self {
                case .integer: "INTEGER"
                case .float: "REAL"
                case .text: "TEXT"
                case .blob: "BLOB"
                case .null: "NULL"
                }
            }
        }

        /// The index of the column, from 0.
        public let index: Int
        public let name: String
        public let dataType: DataType
        /// The value. TEXT that is not valid UTF-8 is a `malformedText` of its bytes.
        public let bindingValue: BindingValue

        /// The value in the type of its storage class: `Int64`, `Double`, `String`, `Data`, or `nil` for NULL.
        public var value: Any? { bindingValue.any }

        @_documentation(visibility: internal)
        public var description: String {
            let shown = value.map { "\($0)" } ?? "nil"
            return "{ index: \(index) name: \"\(name)\", type: \"\(dataType)\", value: \(shown) }"
        }
    }

    /// All columns, with copies of their values.
    public var columns: [Column] {
        let names = storage.layout.names
        return (0..<columnCount).compactMap { index in
            sqliteValue(at: index).map {
                Column(index: index, name: names[index], dataType: $0.dataType, bindingValue: $0.bindingValue)
            }
        }
    }

    /// All values, each in the type of its storage class: `Int64`, `Double`, `String`, `Data`, or `nil` for NULL.
    public var values: [Any?] { columns.map(\.value) }
}

extension Row: Sequence {
    public func makeIterator() -> AnyIterator<Any?> {
        AnyIterator(values.makeIterator())
    }
}

extension Row: CustomStringConvertible {
    /// The names of the columns, with the values in SQL notation: `[id: 1, name: 'Audi', image: 16 bytes, price:
    /// NULL]`.
    @_documentation(visibility: internal)
    public var description: String {
        let shown = columns.map { column in
            let value =
                switch column.bindingValue {
                case .null: "NULL"
                case .integer(let value): "\(value)"
                case .real(let value): "\(value)"
                case .text(let value): "'\(value)'"
                case .blob(let value), .malformedText(let value): "\(value.count) bytes"
                }
            return "\(column.name): \(value)"
        }
        return "[\(shown.joined(separator: ", "))]"
    }
}
