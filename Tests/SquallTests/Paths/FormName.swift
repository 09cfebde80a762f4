import Foundation

@testable import Squall

/// A form of a column: none, those of the library, and forms that a program declares. `mirrored` stores the storage class of the type;
/// `text` to `blob` store all types in one.
enum FormName: String, CaseIterable {
    case plain, mirrored, json, unixTime, unixMilliseconds, julianDay, uuidText, uuidLowercaseText, text, integer, real,
        blob
}

extension FormName {
    /// Returns the value that a column in the form stores.
    func stored<Value: FormValue>(_ value: Value) throws -> BindingValue {
        try form(of: Value.self)?.encode(value) ?? value.checkedBindingValue()
    }

    /// The forms that a type has.
    static func all<Value: FormValue>(of type: Value.Type) -> [FormName] {
        allCases.filter { $0 == .plain || $0.form(of: type) != nil }
    }

    static func all(of type: StoredType) -> [FormName] {
        func all<Value: FormValue>(_ value: Value.Type) -> [FormName] { Self.all(of: value) }
        return all(type.type)
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
        case .json: Value.jsonForm
        case .unixTime: StorageForm<Date>.unixTime as? StorageForm<Value>
        case .unixMilliseconds: StorageForm<Date>.unixMilliseconds as? StorageForm<Value>
        case .julianDay: StorageForm<Date>.julianDay as? StorageForm<Value>
        case .uuidText: StorageForm<UUID>.text as? StorageForm<Value>
        case .uuidLowercaseText: StorageForm<UUID>.lowercaseText as? StorageForm<Value>
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
