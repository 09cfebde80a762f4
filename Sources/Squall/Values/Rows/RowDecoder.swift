#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Decodes `Decodable` values from the columns of a row. `ColumnReadable` types are read as everywhere else. Other types decode
// themselves from their column: from a plain value (an enumeration), or from JSON in TEXT or a BLOB (a nested structure).

extension Row {
    /// Decodes a value from the row, by the names of the columns. The column of an optional property may be missing.
    ///
    /// - Throws: ``ConversionError`` for a missing column, NULL, a value that does not fit, or JSON that does not
    ///   decode; any other error of an initialiser.
    public func decode<T: Decodable>(
        _ type: T.Type = T.self, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> T {
        let outer = storage.userInfo
        storage.userInfo = userInfo
        defer { storage.userInfo = outer }
        return try RowDecoder(row: self).decode(type)
    }
}

// These functions are not in `KeyedColumns`: that type is generic over its keys, and the compiler would not specialise them for a
// type of value.
extension Row {
    @inline(__always)
    fileprivate func get<T: Extractable>(_ key: some CodingKey) throws -> T {
        guard let index = storage.index(of: key) else { throw failure(named: key.stringValue, expected: T.self) }
        return try get(index)
    }

    @inline(__always)
    fileprivate func getIfPresent<T: Extractable>(_ key: some CodingKey) throws -> T? {
        guard let index = storage.index(of: key) else { return nil }
        return try get(index)
    }
}

/// Decodes a row: keyed values from its columns, a single value from its first column.
struct RowDecoder: Decoder {
    let row: Row
    var userInfo: [CodingUserInfoKey: Any] { row.storage.userInfo }
    var codingPath: [any CodingKey] { [] }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if let optional = type as? any DecodableOptional.Type, let value = try optional.decode(from: self) as? T {
            return value
        }
        // This does not check for `ExpressibleByRow`: its initialiser may be the caller.
        if let extractable = type as? any Extractable.Type {
            if let value = try extractable.fetch(from: row) as? T { return value }
            throw ConversionError(.null, expected: "\(type)", columnIndex: 0, sql: row.storage.layout.sql)
        }
        guard let readable = type as? any ColumnReadable.Type else { return try make(type) }
        // An array of numbers that is a whole row is a BLOB, as in a tuple. JSON is read in properties only.
        return try ColumnDecoder(row: row, index: 0, expected: type).decode(type, as: readable)
    }

    /// Makes a value by its `Decodable` initialiser.
    func make<T: Decodable>(_ type: T.Type) throws -> T {
        let mustEnd = row.storage.beginDecoding()
        defer { if mustEnd { row.storage.endDecoding() } }
        do {
            return try T(from: self)
        } catch let error as DecodingError {
            // A type that reads a single value may throw an error without a path.
            let index = error.columnIndex ?? (row.columnCount == 1 ? 0 : nil)
            throw ConversionError(error, expected: type, columnIndex: index, of: row)
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        row.storage.container(keyedBy: type)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw DecodingError.typeMismatch(
            [Any].self, DecodingError.Context(codingPath: [], debugDescription: "a row is not a list")
        )
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        ColumnDecoder(row: row, index: 0, expected: Any.self)
    }
}

/// An optional that is decoded from a row. It is `nil` only if a single value is NULL.
protocol DecodableOptional {
    static func decode(from decoder: RowDecoder) throws -> Self
}

extension Optional: DecodableOptional where Wrapped: Decodable {
    static func decode(from decoder: RowDecoder) throws -> Wrapped? {
        if let extractable = Wrapped.self as? any Extractable.Type {
            return try extractable.fetch(from: decoder.row) as? Wrapped
        }
        let isNull = decoder.row.sqliteValue(at: 0)?.isNull ?? false
        return isNull && Wrapped.self is any ColumnReadable.Type ? nil : try decoder.decode(Wrapped.self)
    }
}

/// The columns of a row by their names.
struct KeyedColumns<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let reference: StorageReference

    init(_ reference: StorageReference) {
        self.reference = reference
    }

    private var row: Row { Row(reference.storage.takeUnretainedValue()) }

    @inline(__always)
    private func withRow<Result>(_ body: (Row) throws -> Result) rethrows -> Result {
        try reference.storage._withUnsafeGuaranteedRef { try body(Row($0)) }
    }

    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] { row.storage.layout.names.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { row.storage.index(of: key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        let index = try column(key, as: Never.self)
        return row.sqliteValue(at: index)?.isNull ?? true
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        // As in `ColumnDecoder.decode`, here without a decoder for the column.
        if type == Data.self { return unsafeBitCast(try withRow { try $0.get(key) as Data }, to: type) }
        if type == Date.self { return unsafeBitCast(try withRow { try $0.get(key) as Date }, to: type) }
        return try decoder(for: key, as: type).decode(type)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let index = row.storage.index(of: key), row.sqliteValue(at: index)?.isNull == false else {
            return nil
        }
        return try ColumnDecoder(row: row, index: index, expected: type).decode(type)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try withRow { try $0.get(key) } }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try withRow { try $0.get(key) } }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try withRow { try $0.get(key) } }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try withRow { try $0.get(key) } }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try withRow { try $0.get(key) } }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try withRow { try $0.get(key) } }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try withRow { try $0.get(key) } }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try withRow { try $0.get(key) } }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try withRow { try $0.get(key) } }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try withRow { try $0.get(key) } }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try withRow { try $0.get(key) } }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try withRow { try $0.get(key) } }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try withRow { try $0.get(key) } }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try withRow { try $0.get(key) } }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try withRow { try $0.getIfPresent(key) }
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try withRow { try $0.getIfPresent(key) }
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try withRow { try $0.getIfPresent(key) }
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try withRow { try $0.getIfPresent(key) }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try withRow { try $0.getIfPresent(key) } }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try withRow { try $0.getIfPresent(key) }
    }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try withRow { try $0.getIfPresent(key) }
    }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try withRow { try $0.getIfPresent(key) }
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try withRow { try $0.getIfPresent(key) }
    }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try withRow { try $0.getIfPresent(key) }
    }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try withRow { try $0.getIfPresent(key) }
    }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try withRow { try $0.getIfPresent(key) }
    }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try withRow { try $0.getIfPresent(key) }
    }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try withRow { try $0.getIfPresent(key) }
    }

    private func column<T>(_ key: Key, as type: T.Type) throws -> Int {
        if let index = row.storage.index(of: key) { return index }
        throw ConversionError(
            .noSuchColumn, expected: "\(type)", columnName: key.stringValue, sql: row.storage.layout.sql
        )
    }

    private func decoder<T>(for key: Key, as type: T.Type) throws -> ColumnDecoder {
        ColumnDecoder(row: row, index: try column(key, as: type), expected: type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(for: key, as: [String: Any].self).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(for: key, as: [Any].self).unkeyedContainer()
    }

    // A superclass reads its properties from the same row.
    func superDecoder() -> any Decoder { RowDecoder(row: row) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(for: key, as: Any.self) }
}

/// Decodes one column.
private struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
    let row: Row
    let index: Int
    /// The type that is decoded. With this property, the decoder still fits into an existential without a box.
    let expected: Any.Type
    var userInfo: [CodingUserInfoKey: Any] { row.storage.userInfo }

    var codingPath: [any CodingKey] {
        let names = row.storage.layout.names
        return names.indices.contains(index) ? [ColumnKey(stringValue: names[index], columnIndex: index)] : []
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        // These two avoid looking up a conformance, which costs as much as the rest.
        if type == Data.self { return unsafeBitCast(try row.get(index) as Data, to: type) }
        if type == Date.self { return unsafeBitCast(try row.get(index) as Date, to: type) }
        guard let readable = type as? any ColumnReadable.Type else { return try make(type) }
        // Numbers in TEXT are JSON, as in arrays of other types.
        if type == [Float].self, row.sqliteValue(at: index)?.dataType == .text { return try make(type) }
        return try decode(type, as: readable)
    }

    /// Reads the column as a type that needs no decoder.
    func decode<T>(_ type: T.Type, as readable: any ColumnReadable.Type) throws -> T {
        try read(readable) as? T ?? fail(type)
    }

    private func make<T: Decodable>(_ type: T.Type) throws -> T {
        do {
            return try T(from: ColumnDecoder(row: row, index: index, expected: type))
        } catch let error as DecodingError {
            throw ConversionError(error, expected: type, columnIndex: index, of: row)
        }
    }

    private func read<T: ColumnReadable>(_ type: T.Type) throws -> T { try row.get(index) }

    private func fail<T>(_ type: T.Type) throws -> T {
        throw ConversionError(.unacceptable, expected: "\(type)", columnIndex: index, sql: row.storage.layout.sql)
    }

    func decodeNil() -> Bool { row.sqliteValue(at: index)?.isNull ?? true }

    func decode(_ type: Bool.Type) throws -> Bool { try row.get(index) }
    func decode(_ type: String.Type) throws -> String { try row.get(index) }
    func decode(_ type: Double.Type) throws -> Double { try row.get(index) }
    func decode(_ type: Float.Type) throws -> Float { try row.get(index) }
    func decode(_ type: Int.Type) throws -> Int { try row.get(index) }
    func decode(_ type: Int8.Type) throws -> Int8 { try row.get(index) }
    func decode(_ type: Int16.Type) throws -> Int16 { try row.get(index) }
    func decode(_ type: Int32.Type) throws -> Int32 { try row.get(index) }
    func decode(_ type: Int64.Type) throws -> Int64 { try row.get(index) }
    func decode(_ type: UInt.Type) throws -> UInt { try row.get(index) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try row.get(index) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try row.get(index) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try row.get(index) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try row.get(index) }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try json().container(keyedBy: type)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try json().unkeyedContainer()
    }

    /// The decoder of the JSON in the column.
    private func json() throws -> any Decoder {
        let value = row.sqliteValue(at: index)
        guard let json = value?.data ?? value?.text.map({ Data($0.utf8) }) else {
            throw ConversionError(nil, expected: expected, columnIndex: index, of: row)
        }
        let decoder = JSONDecoder.squall()
        decoder.userInfo = row.storage.userInfo
        do {
            return try decoder.decode(Inner.self, from: json).decoder
        } catch {
            let context = DecodingError.Context(codingPath: [], debugDescription: "\(error)", underlyingError: error)
            throw ConversionError(.dataCorrupted(context), expected: expected, columnIndex: index, of: row)
        }
    }

    /// Passes on the decoder that it is initialised with.
    private struct Inner: Decodable {
        let decoder: any Decoder

        init(from decoder: any Decoder) {
            self.decoder = decoder
        }
    }
}

/// The name of a column, as the first key of the path in an error.
struct ColumnKey: CodingKey {
    let stringValue: String
    let columnIndex: Int?
    var intValue: Int? { nil }

    init(stringValue: String, columnIndex: Int) {
        self.stringValue = stringValue
        self.columnIndex = columnIndex
    }

    init?(stringValue: String) {
        self.stringValue = stringValue
        self.columnIndex = nil
    }

    init?(intValue: Int) {
        return nil
    }
}

extension DecodingError {
    /// The column of the first key of the path.
    fileprivate var columnIndex: Int? {
        let path: [any CodingKey] =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context.codingPath
            @unknown default: []
            }
        return (path.first as? ColumnKey)?.columnIndex
    }
}
