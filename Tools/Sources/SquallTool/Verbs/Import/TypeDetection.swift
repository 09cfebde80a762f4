import Foundation

/// The detection of the types of columns from all fields of a file.
struct TypeDetection {
    private var columns: [Evidence] = []
    private let null: [UInt8]?

    /// - Parameter null: The text that is NULL.
    init(null: [UInt8]?) {
        self.null = null
    }

    /// Considers the fields of a record.
    mutating func consider(_ record: borrowing Record) {
        while columns.count < record.fields.count { columns.append(Evidence()) }
        for index in record.fields.indices {
            // Text stays text, whatever follows.
            if columns[index].isDecided { continue }
            columns[index].consider(record.fields[index], record, null: null)
        }
    }

    /// The types of a number of columns. A column without values is TEXT.
    func types(count: Int) -> [ColumnType] {
        (0..<count).map { columns.indices.contains($0) ? columns[$0].type : .text }
    }
}

extension TypeDetection {
    /// The kinds of values that a column has.
    private struct Evidence {
        private var hasInteger = false
        /// Whether an integer would lose digits as REAL.
        private var hasLargeInteger = false
        private var hasReal = false
        private var hasInfinity = false
        private var hasText = false
        private var hasString = false
        private var hasBlob = false
        private var isJSON = false

        /// Whether no further value changes the type.
        var isDecided: Bool { hasText }

        var type: ColumnType {
            let hasNumber = hasInteger || hasReal
            if hasText { return .text }
            if hasBlob { return hasString || hasNumber ? .any : .blob }
            // Only JSON distinguishes strings from numbers: their columns keep each value as it is.
            if hasString { return hasNumber ? .any : .text }
            guard hasNumber else { return .text }
            guard hasReal || hasInfinity else { return .integer }
            return hasLargeInteger ? isJSON ? .any : .text : .real
        }

        mutating func consider(_ field: Field, _ record: borrowing Record, null: [UInt8]?) {
            switch field.notation {
            case .missing, .null: break
            case .yes, .no: hasInteger = true
            case .number:
                isJSON = true
                if let number = Number(json: record.bytes(of: field)) { add(number) } else { hasString = true }
            case .nested:
                if record.encodedBlob(of: field) == nil { hasString = true } else { hasBlob = true }
            case .string, .escapedString: hasString = true
            case .bare, .quoted, .doubledQuotes:
                // For numbers, an empty field is NULL even in quotes.
                if field.count == 0 { break }
                let bytes = record.bytes(of: field)
                if let null, bytes.isEqual(to: null) { break }
                if let number = Number(plain: bytes) { add(number) } else { hasText = true }
            }
        }

        private mutating func add(_ number: Number) {
            switch number {
            case .integer(let value):
                hasInteger = true
                if !Number.isExact(value) { hasLargeInteger = true }
            case .real: hasReal = true
            case .infinity: hasInfinity = true
            }
        }
    }
}
