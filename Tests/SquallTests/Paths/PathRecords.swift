import Foundation

@testable import Squall

// MARK: Columns

/// A column of a type in a form, or of an optional of the type.
protocol FormColumn: SendableMetatype {
    associatedtype Base: FormValue
    associatedtype Property: FunctionArgument, StatementParameter, Hashable, Sendable where Property.ColumnBase == Base

    static func column<Record>(
        _ name: String, _ keyPath: any KeyPath<Record, Property> & Sendable, isKey: Bool
    ) -> Column<Record, Property>
    static var samples: [Property] { get }
    /// Values that cannot be stored, at least in some forms.
    static var refused: [Property] { get }
    /// The value that the column stores.
    static func stored(_ property: Property) throws -> BindingValue
    static func base(_ property: Property) -> Base?
    /// Reads a value as the column stores it.
    static func read(_ value: SQLiteValue) throws(ArgumentError) -> Property
    static var form: FormName { get }
}

extension FormColumn {
    /// Reads a value as the form does, or as the type where there is none.
    fileprivate static func readBase(_ value: SQLiteValue) throws(ArgumentError) -> Base {
        guard let form = form.form(of: Base.self) else { return try Base.fromArgument(value) }
        return try form.read(value)
    }
}

/// A form as a type, so that a record type has one table.
protocol FormTag: SendableMetatype { static var name: FormName { get } }
enum PlainTag: FormTag { static var name: FormName { .plain } }
enum MirroredTag: FormTag { static var name: FormName { .mirrored } }
enum JSONTag: FormTag { static var name: FormName { .json } }
enum UnixTimeTag: FormTag { static var name: FormName { .unixTime } }
enum UnixMillisecondsTag: FormTag { static var name: FormName { .unixMilliseconds } }
enum JulianDayTag: FormTag { static var name: FormName { .julianDay } }
enum UUIDTextTag: FormTag { static var name: FormName { .uuidText } }
enum UUIDLowercaseTextTag: FormTag { static var name: FormName { .uuidLowercaseText } }
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
        case .unixTime: UnixTimeTag.self
        case .unixMilliseconds: UnixMillisecondsTag.self
        case .julianDay: JulianDayTag.self
        case .uuidText: UUIDTextTag.self
        case .uuidLowercaseText: UUIDLowercaseTextTag.self
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
            return isKey
                ? Column(name, keyPath, .primaryKey)
                : ColumnKind.current.type.map { Column(name, keyPath, .type($0)) }
                    ?? Column(name, keyPath)
        }
        return isKey
            ? Column(name, keyPath, as: form, .primaryKey)
            : ColumnKind.current.type.map { Column(name, keyPath, as: form, .type($0)) }
                ?? Column(name, keyPath, as: form)
    }

    static var samples: [Base] { Base.samples }
    static var refused: [Base] { Base.refused }
    static func stored(_ property: Base) throws -> BindingValue { try Tag.name.stored(property) }
    static func base(_ property: Base) -> Base? { property }
    static func read(_ value: SQLiteValue) throws(ArgumentError) -> Base { try readBase(value) }
    static var form: FormName { Tag.name }
}

enum NullableColumn<Base: FormValue, Tag: FormTag>: FormColumn {
    typealias Property = Base?

    static func column<Record>(
        _ name: String, _ keyPath: any KeyPath<Record, Base?> & Sendable, isKey: Bool
    ) -> Column<Record, Base?> {
        let type = ColumnKind.current.type
        return Tag.name.form(of: Base.self).map { form in
            type.map { Column(name, keyPath, as: form, .type($0)) } ?? Column(name, keyPath, as: form)
        } ?? type.map { Column(name, keyPath, .type($0)) } ?? Column(name, keyPath)
    }

    static var samples: [Base?] { Base.samples + [nil] }
    static var refused: [Base?] { Base.refused }
    static func stored(_ property: Base?) throws -> BindingValue {
        try property.map { try Tag.name.stored($0) } ?? .null
    }
    static func base(_ property: Base?) -> Base? { property }
    static func read(_ value: SQLiteValue) throws(ArgumentError) -> Base? { value.isNull ? nil : try readBase(value) }
    static var form: FormName { Tag.name }
}

/// Keeps the table of each record type: a generic type cannot.
final class FormTables: @unchecked Sendable {
    static let shared = FormTables()

    private let lock = NSLock()
    private var tables: [Key: any Sendable] = [:]

    private struct Key: Hashable {
        let type: ObjectIdentifier
        let kind: ColumnKind
    }

    func table<Record, Declared: Sendable>(of type: Record.Type, _ make: () -> Declared) -> Declared {
        let key = Key(type: ObjectIdentifier(type), kind: .current)
        return lock.withLock {
            if let known = tables[key] as? Declared { return known }
            let made = make()
            tables[key] = made
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
            if ColumnKind.current.isStrict {
                Table("holders", FormHolder.init, .strict) {
                    Column("id", \FormHolder.id, .primaryKey)
                    C.column("value", \FormHolder.value, isKey: false)
                    Column("note", \FormHolder.note)
                }
            } else {
                Table("holders", FormHolder.init) {
                    Column("id", \FormHolder.id, .primaryKey)
                    C.column("value", \FormHolder.value, isKey: false)
                    Column("note", \FormHolder.note)
                }
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
