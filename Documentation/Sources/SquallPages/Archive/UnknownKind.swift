/// The error for a part of the archive that this package cannot write as HTML.
struct UnknownKind: Error, Equatable, CustomStringConvertible {
    /// The part of the page, such as `block`.
    let part: String
    let name: String

    var description: String { "unknown kind of \(part): \(name)" }
}

extension KeyedDecodingContainer {
    /// Decodes a kind, and throws an ``UnknownKind`` for a name that the type does not have.
    func decodeKind<Kind: RawRepresentable<String>>(_ part: String, forKey key: Key) throws -> Kind {
        let name = try decode(String.self, forKey: key)
        guard let kind = Kind(rawValue: name) else { throw UnknownKind(part: part, name: name) }
        return kind
    }
}

/// A key of any name, for finding the keys that a type does not read.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init?(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        nil
    }
}

extension Decoder {
    /// Throws an ``UnknownKind`` for the first key that is not in a list.
    func rejectKeys(of part: String, except known: Set<String>) throws {
        let keys = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        if let name = keys.filter({ !known.contains($0) }).min() {
            throw UnknownKind(part: part, name: name)
        }
    }
}
