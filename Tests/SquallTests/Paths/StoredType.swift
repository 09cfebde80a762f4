import Foundation

@testable import Squall

// The lists of the matrix of paths. The switches keep them complete: a new case does not compile without its type or form.

/// A type of a column.
protocol FormValue: Bindable, ColumnReadable, Hashable, Sendable where ColumnBase == Self {
    /// Different values.
    static var samples: [Self] { get }
    /// Values of the type that cannot be stored.
    static var refused: [Self] { get }
    /// Another value, whose mirror is this value. A form that stores it hides from every path that knows the type alone.
    var mirror: Self { get }
    /// The form `json`, where the type has it.
    static var jsonForm: StorageForm<Self>? { get }
}

extension FormValue {
    static var refused: [Self] { [] }
    static var jsonForm: StorageForm<Self>? { nil }
}

extension FormValue where Self: Codable {
    static var jsonForm: StorageForm<Self>? { .json }
}

/// A type that Squall stores, or a way to declare one: each public `Binding`, raw values over the kinds of types, and types that a program
/// declares over each `BindingType`.
enum StoredType: String, CaseIterable {
    case string, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, double, float, bool, data, bytes,
        floats
    case date, uuid, decimal, url, unixTime, unixMilliseconds, julianDay, json, array, set, bindingValue
    case textCase, numberCase, rawDate, rawUUID, rawData, rawDouble, rawDecimal, rawValue, rawRaw
    case ownText, ownInteger, ownReal, ownBlob, ownAny, ownCodable

    var type: any FormValue.Type {
        switch self {
        case .string: String.self
        case .int: Int.self
        case .int8: Int8.self
        case .int16: Int16.self
        case .int32: Int32.self
        case .int64: Int64.self
        case .uint: UInt.self
        case .uint8: UInt8.self
        case .uint16: UInt16.self
        case .uint32: UInt32.self
        case .uint64: UInt64.self
        case .double: Double.self
        case .float: Float.self
        case .bool: Bool.self
        case .data: Data.self
        case .bytes: [UInt8].self
        case .floats: [Float].self
        case .date: Date.self
        case .uuid: UUID.self
        case .decimal: Decimal.self
        case .url: URL.self
        case .unixTime: UnixTime.self
        case .unixMilliseconds: UnixMilliseconds.self
        case .julianDay: JulianDay.self
        case .json: JSONBinding<[Int]>.self
        case .array: ArrayBinding<Int>.self
        case .set: SetBinding<Int>.self
        case .bindingValue: BindingValue.self
        case .textCase: TextCase.self
        case .numberCase: NumberCase.self
        case .rawDate: Raw<Date>.self
        case .rawUUID: Raw<UUID>.self
        case .rawData: Raw<Data>.self
        case .rawDouble: Raw<Double>.self
        case .rawDecimal: Raw<Decimal>.self
        case .rawValue: Raw<BindingValue>.self
        case .rawRaw: Raw<Raw<String>>.self
        case .ownText: OwnText.self
        case .ownInteger: OwnInteger.self
        case .ownReal: OwnReal.self
        case .ownBlob: OwnBlob.self
        case .ownAny: OwnAny.self
        case .ownCodable: OwnCodable.self
        }
    }
}

// MARK: Types of a program

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

/// A raw value of any type.
struct Raw<RawValue: FormValue & Binding>: RawRepresentable, Binding, FormValue {
    let rawValue: RawValue
    init(rawValue: RawValue) { self.rawValue = rawValue }
    static var samples: [Raw] {
        // A type of several storage classes receives TEXT that is not UTF-8 as its bytes: see `fromBindingValue(_:)`.
        RawValue.samples.map { Raw(rawValue: $0) }.filter { value in
            if case .malformedText = value.bindingValue { false } else { true }
        }
    }
    static var refused: [Raw] { RawValue.refused.map { Raw(rawValue: $0) } }
    var mirror: Raw { Raw(rawValue: rawValue.mirror) }
}

struct OwnText: Binding, FormValue {
    typealias BindingType = String
    let text: String
    var bindingValue: BindingValue { .text("<\(text)>") }
    static func fromBindingValue(_ value: Any) -> OwnText? {
        guard let text = value as? String, text.hasPrefix("<"), text.hasSuffix(">") else { return nil }
        return OwnText(text: String(text.dropFirst().dropLast()))
    }
    static var samples: [OwnText] { ["a", "5", ""].map { OwnText(text: $0) } }
    var mirror: OwnText { OwnText(text: text.mirror) }
}

struct OwnInteger: Binding, FormValue {
    typealias BindingType = Int64
    let number: Int64
    var bindingValue: BindingValue { .integer(number + 1) }
    static func fromBindingValue(_ value: Any) -> OwnInteger? { (value as? Int64).map { OwnInteger(number: $0 - 1) } }
    static var samples: [OwnInteger] { [0, -1, 7].map { OwnInteger(number: $0) } }
    var mirror: OwnInteger { OwnInteger(number: 6 - number) }
}

struct OwnReal: Binding, FormValue {
    typealias BindingType = Double
    let number: Double
    var bindingValue: BindingValue { .real(number * 2) }
    static func fromBindingValue(_ value: Any) -> OwnReal? { (value as? Double).map { OwnReal(number: $0 / 2) } }
    static var samples: [OwnReal] { [0, 1.25, -3].map { OwnReal(number: $0) } }
    var mirror: OwnReal { OwnReal(number: 1 - number) }
}

struct OwnBlob: Binding, FormValue {
    typealias BindingType = Data
    let bytes: Data
    var bindingValue: BindingValue { .blob(Data(bytes.reversed())) }
    static func fromBindingValue(_ value: Any) -> OwnBlob? {
        (value as? Data).map { OwnBlob(bytes: Data($0.reversed())) }
    }
    static var samples: [OwnBlob] { [[1, 2], [], [53]].map { OwnBlob(bytes: Data($0)) } }
    var mirror: OwnBlob { OwnBlob(bytes: bytes.mirror) }
}

/// A type of two storage classes.
enum OwnAny: Binding, FormValue {
    typealias BindingType = Any
    case number(Int64), word(String)

    var bindingValue: BindingValue {
        switch self {
        case .number(let number): .integer(number)
        case .word(let word): .text(word)
        }
    }

    static func fromBindingValue(_ value: Any) -> OwnAny? {
        (value as? Int64).map { .number($0) } ?? (value as? String).map { .word($0) }
    }

    static var samples: [OwnAny] { [.number(7), .word("a"), .word("5")] }

    var mirror: OwnAny {
        switch self {
        case .number(let number): .number(-number)
        case .word(let word): .word(word.mirror)
        }
    }
}

struct OwnCodable: CodableBinding, FormValue {
    var theme = "dark", zoom = 1.5
    static var samples: [OwnCodable] { [OwnCodable(), OwnCodable(theme: "", zoom: -1)] }
    var mirror: OwnCodable { OwnCodable(theme: theme, zoom: -zoom) }
}
