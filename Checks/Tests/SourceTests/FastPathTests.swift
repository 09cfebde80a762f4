import Foundation
import Testing

/// A fast path takes a type, or a place in memory, for granted. Each one is in this list, with what it may take for granted.
///
/// A path that knows the type of a value and not the declaration of its column has corrupted rows: it read a column with a form as if it
/// had none. Where this test fails, look at the path first: may another feature invalidate what it relies on?
struct FastPathTests {
    /// The ways in which a path depends on a type.
    enum Kind: String, CaseIterable {
        /// The bits of a value are taken for those of another type.
        case bits
        /// An object is taken for one of another class.
        case object
        /// Memory is taken for that of a value of a type.
        case memory
        /// A type is compared with another one.
        case sameType
        /// A type is tested for a class or a protocol.
        case typeTest
        /// A value of an unknown type is tested for a standard type.
        case valueTest
        /// The compiler makes code for a type.
        case specialised
        /// A property that was computed when a table was declared chooses the path.
        case declaration

        var pattern: Regex<Substring> {
            switch self {
            case .bits: /unsafeBitCast\(/
            case .object: /unsafeDowncast\(/
            case .memory: /assumingMemoryBound\(to: (?:Value|Self\??|Root|Wrapped|Element)\.self\)/
            case .sameType: /[\w)?] [=!]= [\w.?<>\[\]]+\.self\b/
            case .typeTest: /\b(?:is (?:any )?|as\? any )[\w.\[\]<>]+\??\.Type\b/
            case .valueTest: /\bas\? \[?(?:Bool|U?Int(?:8|16|32|64)?|Double|Float|String|Data|Date|UUID)\b/
            case .specialised: /@_specialize\(/
            case .declaration: /\b(?:codec|core|layout)\.(?:firstForm|formsFrom|hasPlainKey|isPlain)\b/
            }
        }
    }

    struct Path: Sendable {
        let file: String
        let uses: [Kind: Int]
        let assumption: String

        init(_ file: String, _ uses: [Kind: Int], _ assumption: String) {
            self.file = "Sources/" + (file.hasPrefix("Squall") ? "" : "Squall/") + file
            self.uses = uses
            self.assumption = assumption
        }
    }

    static let paths = [
        // Records
        Path(
            "Tables/Reading/ColumnReader.swift", [.bits: 14, .sameType: 10, .object: 1, .declaration: 3],
            """
            The codec of the column is plain: the columns before `plainEnd` are, and `nextPlainValue` gives no value of one with a form, \
            which its codec reads. Codecs and types of a record are of one list of columns.
            """),
        Path(
            "Tables/Reading/RecordReader.swift", [.declaration: 1],
            "Only a column that was declared without a form has a plain codec; its codec says so itself."),
        Path(
            "Tables/Records/PreparedInsert.swift", [.object: 1],
            "Values are bound by the codecs, which are in the order of the types: both are of one list of columns."),
        Path(
            "Tables/Reading/Connection+Find.swift", [.typeTest: 2, .declaration: 1],
            "The values of a key are bound as they are only if no column of the key has a form. The types are only checked."
        ),
        Path(
            "Values/Conversion/FieldBinder.swift", [.memory: 3, .sameType: 1, .typeTest: 1],
            """
            A field is bound by its type alone only in a column that was declared without a form: only that initialiser takes a type \
            without a function. The address is that of a record of the type of the key path.
            """),
        Path(
            "Values/Conversion/Bindable.swift", [.memory: 2, .specialised: 3],
            "The address is that of a `Self`, or of an optional one, as the binder says. Specialised code is the generic code."
        ),
        Path(
            "Tables/Declaration/TableColumn.swift", [.memory: 1, .typeTest: 2],
            "The offset is that of the key path, in a record of its type. Only an optional property can be `nil`, whatever its form."
        ),
        Path(
            "Tables/Declaration/FieldSetter.swift", [.memory: 1],
            "The offset is that of a stored property of the type; the value was read by `ColumnReader`."),
        Path(
            "Tables/Declaration/Column.swift", [.sameType: 1],
            "A type that is not its own base is optional. Only columns without a form come here."),
        Path(
            "Tables/Relations/Relation.swift", [.object: 1],
            "The path of a relation was made for its target: all initialisers are beside this function."),
        Path(
            "Tables/Pairing/TableProbe.swift", [.typeTest: 1],
            "Records are compared in memory, before any form."),
        Path(
            "Tables/Pairing/Samples.swift", [.typeTest: 3],
            "A made-up value is given to an initialiser, and never stored."),
        Path(
            "Tables/Expressions/Assignment.swift", [.typeTest: 4, .valueTest: 1],
            "Members of JSON alone, which have no form. An optional `Double` is one, too."),
        Path(
            "Tables/Expressions/Expr.swift", [.typeTest: 2],
            "The hint of an error about a type that SQLite does not order."),
        Path(
            "Tables/Expressions/Expr+Text.swift", [.typeTest: 1],
            "Whether an expression can be NULL, in a condition that is false for NULL: one that is not optional needs no test."
        ),
        Path(
            "Tables/Expressions/Ordering.swift", [.typeTest: 2],
            "Whether an expression can be NULL, and whether SQLite orders its type, when it has no form."),
        Path(
            "Tables/Declaration/StorageForm.swift", [.typeTest: 1],
            "An integer becomes one of another size only where it is the same number; the form then encodes it."),
        Path(
            "Schema/Definitions/InsertTime.swift", [.typeTest: 4],
            "The type of a column without a form, or the type whose values a form of dates stores. Other columns have no time."
        ),
        // Rows without a declaration
        Path(
            "Values/Rows/Row.swift", [.typeTest: 1],
            "NULL of a type without a storage class is read by the type itself, after its other ways have given no value."
        ),
        Path(
            "Queries/Tuples/TupleLayout.swift", [.memory: 1],
            "The memory is that of the element that was initialised. An expression with a form is read by a closure instead."
        ),
        Path(
            "Values/Conversion/TupleElement.swift", [.memory: 2],
            "The memory is that of the element that was initialised, optional or not as the element says."),
        Path(
            "Queries/QueryResult+Shapes.swift", [.object: 1],
            "The source is the statement that the same file has stored."),
        Path(
            "Queries/Statement+Query.swift", [.typeTest: 7],
            "The shape of a result of SQL, whose columns have no declaration."),
        Path(
            "Values/Rows/RowDecoder.swift", [.bits: 4, .sameType: 5, .typeTest: 6],
            "Exactly `Data` or `Date`, whose own `Decodable` reads another form. The columns have no declaration."),
        Path(
            "Values/Rows/Row+Container.swift", [.bits: 2],
            "A container is one reference, which is of the key type that was stored beside it."),
        Path("Values/Rows/KeyColumns.swift", [.bits: 1], "A key of one byte is the number of its case."),
        Path(
            "Values/Conversion/Extractable.swift", [.sameType: 4, .typeTest: 4],
            "The type that a conformance names as stored; exactly the four types of SQLite."),
        Path(
            "Values/Conversion/ConversionError.swift", [.typeTest: 5],
            "The reason of an error. Of a form, a value that its stored type reads was refused by the form."),
        Path(
            "SquallSearch/Functions/SearchMatch+Columns.swift", [.sameType: 3],
            "Columns of FTS5, which are bytes without a declaration; other types are read by their stored type."),
        Path(
            "Schema/History/Steps/ColumnDef.swift", [.sameType: 1],
            "A type that is not its own base is optional. The column of a step has no form."),
        Path(
            "Schema/Definitions/ColumnDefinition.swift", [.typeTest: 1], "The declared type of a column without a form."
        ),
        Path("Values/Types/Blobs.swift", [.specialised: 4], "Specialised code is the generic code."),
        Path("SquallStore/SQLRunner.swift", [.typeTest: 1], "Whether a result has several rows."),
        Path("SquallStore/StoreConnection+Query.swift", [.typeTest: 1], "Whether the parts of a result are joined."),
        Path("VirtualTables/Connection+Module.swift", [.typeTest: 1], "Whether a source is writable."),
        Path(
            "VirtualTables/Connection+TableFunction.swift", [.typeTest: 1],
            "The declared type of a column of a function, which has no form."),
        Path(
            "Observation/Values/Equality.swift", [.typeTest: 1],
            "Whether observed values are compared, by the `Equatable` conformance of their type. One that belongs to an actor is not found."
        ),
    ]

    /// The stored values of a type are tested in the file of the type: `fromBindingValue(_:)`.
    private static let files = (TopicTests.modules + ["SQiftCompatibility", "SQLiteORMCompatibility"])
        .flatMap { Repository.files(in: "Sources/\($0)", ".swift") }

    /// Returns how often each kind is in a file.
    static func uses(in file: Repository.File) -> [Kind: Int] {
        let isOfType = file.path.contains("/Values/Types/") || file.path.hasSuffix("/CGFloat.swift")
        return Kind.allCases.reduce(into: [:]) { uses, kind in
            if isOfType, kind == .valueTest { return }
            let count = file.code.matches(of: kind.pattern).count
            if count > 0 { uses[kind] = count }
        }
    }

    @Test func everyFastPathIsInTheListWithWhatItAssumes() {
        #expect(Self.files.count > 200)
        let known = Dictionary(uniqueKeysWithValues: Self.paths.map { ($0.file, $0.uses) })
        let found = Dictionary(uniqueKeysWithValues: Self.files.map { ($0.path, Self.uses(in: $0)) })
        for (path, uses) in found where !uses.isEmpty {
            #expect(uses == known[path], "\(path): write down what a new path assumes")
        }
        for path in Self.paths {
            #expect(found[path.file] != nil, "\(path.file) is gone")
            #expect(!path.assumption.isEmpty)
        }
    }

    @Test func eachKindOfPathIsFound() {
        let samples: [Kind: [String]] = [
            .bits: ["return unsafeBitCast(result, to: type)"],
            .object: ["unsafeDowncast(codec as AnyObject, to: Codec<Value>.self)"],
            .memory: ["start.assumingMemoryBound(to: Value.self).pointee", "p.assumingMemoryBound(to: Self?.self)"],
            .sameType: [
                "if type == Int.self {", "Value.self == Value.ColumnBase?.self", "if T.self != [UInt8].self {",
            ],
            .typeTest: ["if type is String.Type {", "case is Bool?.Type:", "Value.self as? any Bindable.Type"],
            .valueTest: ["if let text = value as? String {", "values as? [Int64]"],
            .specialised: ["@_specialize(where Wrapped == Int)"],
            .declaration: [
                "if core.hasPlainKey {", "index &+ layout.firstForm", "codec.isPlain ? a : b",
            ],
        ]
        #expect(samples.count == Kind.allCases.count)
        for (kind, lines) in samples {
            for line in lines { #expect(line.contains(kind.pattern), "\(kind): \(line)") }
        }
        let file = Repository.File(
            path: "Sources/Squall/New.swift", text: "if type == Int.self { return unsafeBitCast(a, to: type) }")
        #expect(Self.uses(in: file) == [.sameType: 1, .bits: 1])
    }
}
