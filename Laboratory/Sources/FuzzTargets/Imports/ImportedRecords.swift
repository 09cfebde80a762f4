import Foundation
import Squall

/// All that a reader finds in a file: the records, with their values by the types that the import detects.
struct ImportedRecords: Equatable {
    /// A field, as text and as a value.
    struct Value: Equatable {
        let notation: Field.Notation
        let text: String?
        let value: BindingValue?

        static func == (left: Value, right: Value) -> Bool {
            left.notation == right.notation && left.value == right.value
                && left.text.map { Array($0.utf8) } == right.text.map { Array($0.utf8) }
        }

        /// The value as the tool's `export` has it.
        var cell: Cell {
            if notation == .bare, text == "" { return .null }
            return text.map { .text($0) } ?? .malformedText(Data())
        }
    }

    struct Row: Equatable {
        let line: Int
        let bytes: [UInt8]
        let problem: String?
        let values: [Value]

        /// The fields without their notation.
        var texts: [[UInt8]] { values.map { Array(($0.text ?? "x''").utf8) } }
    }

    private(set) var columns: [String] = []
    private(set) var rows: [Row] = []
    /// The error that ended the import.
    private(set) var failure: String?

    /// Reads a file twice, as the import does: for the types of its columns, and for its values.
    ///
    /// - Throws: ``WrongResult`` if a value does not have the type that was detected.
    init(read: () throws -> any RecordReader) throws {
        do {
            var detection = TypeDetection(null: nil)
            var record = Record()
            let first = try read()
            while try first.next(&record) {
                if record.problem == nil { detection.consider(record) }
            }
            let types = detection.types(count: first.columns.count)
            let second = try read()
            while try second.next(&record) { rows.append(try Self.row(record, types)) }
            columns = second.columns
            try requireEqual(
                columns.map { Array($0.utf8) }, first.columns.map { Array($0.utf8) }, "the names of the columns")
        } catch let error as Failure {
            failure = error.message
        }
    }

    private static func row(_ record: Record, _ types: [ColumnType]) throws -> Row {
        let conversion = FieldConversion(null: nil)
        var values: [Value] = []
        if record.problem == nil {
            for (field, type) in zip(record.fields, types) {
                var value: BindingValue?
                do {
                    value = try conversion.value(of: field, in: record, as: type)
                } catch .notUTF8, .halfSurrogate {
                } catch .mismatch(let text, let expected) {
                    throw WrongResult("the type \(type) was detected, and \(text.debugDescription) is not \(expected)")
                }
                // Every type must be able to refuse or to take the field.
                for other in [ColumnType.integer, .real, .text, .blob, .numeric, .any] {
                    _ = try? conversion.value(of: field, in: record, as: other)
                }
                values.append(Value(notation: field.notation, text: record.text(of: field), value: value))
            }
        }
        return Row(line: record.line, bytes: Array(record.bytes), problem: record.problem, values: values)
    }
}
