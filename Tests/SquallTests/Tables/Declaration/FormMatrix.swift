import Foundation

@testable import Squall

// The lists of the matrix of types and forms. The switches keep them complete: a new case does not compile without its type or form.

/// A type of a column with a form.
protocol FormValue: Bindable, ColumnReadable, Hashable, Codable, Sendable where ColumnBase == Self {
    /// Different values.
    static var samples: [Self] { get }
    /// Another value, whose mirror is this value. A form that stores it hides from every path that knows the type alone.
    var mirror: Self { get }
}

enum FormType: String, CaseIterable {
    case string, int, int64, int8, uint64, double, float, bool, data, bytes, date, uuid, decimal, textCase, numberCase

    var type: any FormValue.Type {
        switch self {
        case .string: String.self
        case .int: Int.self
        case .int64: Int64.self
        case .int8: Int8.self
        case .uint64: UInt64.self
        case .double: Double.self
        case .float: Float.self
        case .bool: Bool.self
        case .data: Data.self
        case .bytes: [UInt8].self
        case .date: Date.self
        case .uuid: UUID.self
        case .decimal: Decimal.self
        case .textCase: TextCase.self
        case .numberCase: NumberCase.self
        }
    }
}

/// A form of a column. Those after `json` store all types in one storage class.
enum FormName: String, CaseIterable {
    case plain, mirrored, json, text, integer, real, blob
}

extension FormName {
    /// Returns the value that a column in the form stores.
    func stored<Value: FormValue>(_ value: Value) throws -> BindingValue {
        try form(of: Value.self)?.encode(value) ?? value.checkedBindingValue()
    }

    func form<Value: FormValue>(of type: Value.Type) -> StorageForm<Value>? {
        switch self {
        case .plain: nil
        case .mirrored:
            StorageForm("mirrored", type: Value.declaredType) {
                try $0.mirror.checkedBindingValue()
            } decode: {
                Value.fromSQLiteValue($0)?.mirror
            }
        case .json: .json
        case .text:
            numbered("TEXT") {
                .text("v\($0)")
            } decode: {
                $0.text.flatMap { Int($0.dropFirst()) }
            }
        case .integer:
            numbered("INTEGER") {
                .integer(Int64(7 - $0))
            } decode: {
                $0.integer.map { 7 - Int($0) }
            }
        case .real:
            numbered("REAL") {
                .real(Double($0) + 0.5)
            } decode: {
                $0.real.flatMap { Int(exactly: $0 - 0.5) }
            }
        case .blob:
            numbered("BLOB") {
                .blob(Data([UInt8($0)]))
            } decode: {
                $0.data?.first.map { Int($0) }
            }
        }
    }

    /// A form that stores the number of a sample.
    private func numbered<Value: FormValue>(
        _ type: String, encode: @escaping @Sendable (Int) -> BindingValue,
        decode: @escaping @Sendable (SQLiteValue) -> Int?
    ) -> StorageForm<Value> {
        let name = rawValue
        return StorageForm(name, type: type) { value in
            guard let number = Value.samples.firstIndex(of: value) else { throw UnknownSample() }
            return encode(number)
        } decode: {
            decode($0).flatMap { Value.samples.indices.contains($0) ? Value.samples[$0] : nil }
        }
    }
}

struct UnknownSample: Error {}

// MARK: Types

enum TextCase: String, CaseIterable, Binding, Codable, FormValue {
    case petrol, diesel, none
    static var samples: [TextCase] { allCases }
    var mirror: TextCase { self == .petrol ? .diesel : self == .diesel ? .petrol : .none }
}

enum NumberCase: Int, CaseIterable, Binding, Codable, FormValue {
    case first = 1, second, third
    static var samples: [NumberCase] { allCases }
    var mirror: NumberCase { self == .first ? .third : self == .third ? .first : .second }
}

extension String: FormValue {
    static var samples: [String] { ["Mort", "", "\"Mort\""] }
    var mirror: String { String(map { $0 == "M" ? "T" : $0 == "T" ? "M" : $0 }.reversed()) }
}

extension FormValue where Self: FixedWidthInteger {
    static var samples: [Self] { [0, 1, 7] }
    var mirror: Self { ~self }
}

extension Int: FormValue {}
extension Int64: FormValue {}
extension Int8: FormValue {}
extension UInt64: FormValue {}

extension FormValue where Self: BinaryFloatingPoint {
    static var samples: [Self] { [1, 2.5, -1024] }
    var mirror: Self { -self }
}

extension Double: FormValue {}
extension Float: FormValue {}

extension Bool: FormValue {
    static var samples: [Bool] { [false, true] }
    var mirror: Bool { !self }
}

extension Data: FormValue {
    static var samples: [Data] { [Data([1, 2]), Data([0]), Data("{}".utf8)] }
    var mirror: Data { Data(map { ~$0 }) }
}

extension Array: FormValue where Element == UInt8 {
    static var samples: [[UInt8]] { [[1, 2], [0], Array("{}".utf8)] }
    var mirror: [UInt8] { map { ~$0 } }
}

extension Date: FormValue {
    static var samples: [Date] { [0, 86_400.5, 1e9].map { Date(timeIntervalSinceReferenceDate: $0) } }
    var mirror: Date { Date(timeIntervalSinceReferenceDate: -timeIntervalSinceReferenceDate) }
}

extension UUID: FormValue {
    static var samples: [UUID] {
        (1...3).map { UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, $0)) }
    }
    var mirror: UUID {
        var bytes = uuid
        withUnsafeMutableBytes(of: &bytes) { for index in $0.indices { $0[index] = ~$0[index] } }
        return UUID(uuid: bytes)
    }
}

extension Decimal: FormValue {
    static var samples: [Decimal] { [1, 25, -1024] }
    var mirror: Decimal { -self }
}

// MARK: Columns

/// A column of a type in a form, or of an optional of the type.
protocol FormColumn: SendableMetatype {
    associatedtype Base: FormValue
    associatedtype Property: FunctionArgument, StatementParameter, Hashable, Sendable where Property.ColumnBase == Base

    static func column<Record>(
        _ name: String, _ keyPath: any KeyPath<Record, Property> & Sendable, isKey: Bool
    ) -> Column<Record, Property>
    static var samples: [Property] { get }
    /// The value that the column stores.
    static func stored(_ property: Property) throws -> BindingValue
    static func base(_ property: Property) -> Base?
}

/// A form as a type, so that a record type has one table.
protocol FormTag: SendableMetatype { static var name: FormName { get } }
enum PlainTag: FormTag { static var name: FormName { .plain } }
enum MirroredTag: FormTag { static var name: FormName { .mirrored } }
enum JSONTag: FormTag { static var name: FormName { .json } }
enum TextTag: FormTag { static var name: FormName { .text } }
enum IntegerTag: FormTag { static var name: FormName { .integer } }
enum RealTag: FormTag { static var name: FormName { .real } }
enum BlobTag: FormTag { static var name: FormName { .blob } }

extension FormName {
    var tag: any FormTag.Type {
        switch self {
        case .plain: PlainTag.self
        case .mirrored: MirroredTag.self
        case .json: JSONTag.self
        case .text: TextTag.self
        case .integer: IntegerTag.self
        case .real: RealTag.self
        case .blob: BlobTag.self
        }
    }
}

enum RequiredColumn<Base: FormValue, Tag: FormTag>: FormColumn {
    typealias Property = Base

    static func column<Record>(
        _ name: String, _ keyPath: any KeyPath<Record, Base> & Sendable, isKey: Bool
    ) -> Column<Record, Base> {
        guard let form = Tag.name.form(of: Base.self) else {
            return isKey ? Column(name, keyPath, .primaryKey) : Column(name, keyPath)
        }
        return isKey ? Column(name, keyPath, as: form, .primaryKey) : Column(name, keyPath, as: form)
    }

    static var samples: [Base] { Base.samples }
    static func stored(_ property: Base) throws -> BindingValue { try Tag.name.stored(property) }
    static func base(_ property: Base) -> Base? { property }
}

enum NullableColumn<Base: FormValue, Tag: FormTag>: FormColumn {
    typealias Property = Base?

    static func column<Record>(
        _ name: String, _ keyPath: any KeyPath<Record, Base?> & Sendable, isKey: Bool
    ) -> Column<Record, Base?> {
        Tag.name.form(of: Base.self).map { Column(name, keyPath, as: $0) } ?? Column(name, keyPath)
    }

    static var samples: [Base?] { Base.samples + [nil] }
    static func stored(_ property: Base?) throws -> BindingValue {
        try property.map { try Tag.name.stored($0) } ?? .null
    }
    static func base(_ property: Base?) -> Base? { property }
}

/// Keeps the table of each record type: a generic type cannot.
final class FormTables: @unchecked Sendable {
    static let shared = FormTables()

    private let lock = NSLock()
    private var tables: [ObjectIdentifier: any Sendable] = [:]

    func table<Record, Declared: Sendable>(of type: Record.Type, _ make: () -> Declared) -> Declared {
        lock.withLock {
            if let known = tables[ObjectIdentifier(type)] as? Declared { return known }
            let made = make()
            tables[ObjectIdentifier(type)] = made
            return made
        }
    }
}

/// A record with a column of a form between columns without one.
struct FormHolder<C: FormColumn>: TableRecord, Hashable, Sendable {
    var id: Int64
    var value: C.Property
    var note: String

    static var table: Table<FormHolder, Int64, (Int64, C.Property, String)> {
        FormTables.shared.table(of: FormHolder.self) {
            Table("holders", FormHolder.init) {
                Column("id", \FormHolder.id, .primaryKey)
                C.column("value", \FormHolder.value, isKey: false)
                Column("note", \FormHolder.note)
            }
        }
    }
}

/// A record whose key has a form.
struct KeyOwner<C: FormColumn>: TableRecord, Hashable, Sendable where C.Property == C.Base {
    var key: C.Base
    var name: String

    static var table: Table<KeyOwner, C.Base, (C.Base, String)> {
        FormTables.shared.table(of: KeyOwner.self) {
            Table("owners", KeyOwner.init) {
                C.column("key", \KeyOwner.key, isKey: true)
                Column("name", \KeyOwner.name)
            }
        }
    }

    static var items: Relation<KeyOwner, [OwnedItem<C>]> { OwnedItem<C>.owner.inverse() }
    static var linked: Relation<KeyOwner, [OwnedItem<C>]> {
        Relation(\KeyOwner.key, through: \OwnerLink<C>.owner, \OwnerLink<C>.item, to: \OwnedItem<C>.id)
    }
}

/// A record that refers to one whose key has a form.
struct OwnedItem<C: FormColumn>: TableRecord, Hashable, Sendable where C.Property == C.Base {
    var id: Int64
    var ownerKey: C.Base

    static var table: Table<OwnedItem, Int64, (Int64, C.Base)> {
        FormTables.shared.table(of: OwnedItem.self) {
            Table("items", OwnedItem.init) {
                Column("id", \OwnedItem.id, .primaryKey)
                C.column("owner", \OwnedItem.ownerKey, isKey: false)
            }
        }
    }

    static var owner: Relation<OwnedItem, KeyOwner<C>?> { Relation(\OwnedItem.ownerKey, to: \KeyOwner<C>.key) }
}

/// A record between the two.
struct OwnerLink<C: FormColumn>: TableRecord, Hashable, Sendable where C.Property == C.Base {
    var owner: C.Base
    var item: Int64

    static var table: Table<OwnerLink, C.Base, (C.Base, Int64)> {
        FormTables.shared.table(of: OwnerLink.self) {
            Table("links", OwnerLink.init) {
                C.column("owner", \OwnerLink.owner, isKey: false)
                Column("item", \OwnerLink.item)
            }
        }
    }
}
