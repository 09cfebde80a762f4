/// A version of a ``Schema``: the steps that lead to it from the previous version.
///
/// Versions are history: once a version has run anywhere, it is not edited. Versions never mention a record type, because a
/// change of the type would change them.
public struct Version: Sendable {
    /// The number of the version.
    public let number: Int
    package let actions: [SchemaAction]

    /// Makes a version of its steps.
    ///
    /// - Parameters:
    ///   - number: The number of the version, at least 1. Gaps are allowed.
    ///   - steps: The steps, in the order in which they run.
    public init(_ number: Int, @ListBuilder<any SchemaStep> steps: () -> [any SchemaStep]) {
        self.init(number, actions: steps().map { SchemaAction($0) })
    }

    init(_ number: Int, actions: [SchemaAction]) {
        self.number = number
        self.actions = actions
    }

    /// The name of the file from which the version was read; `nil` for a version of steps.
    public var file: String? {
        if case .script(_, let file) = actions.first { file } else { nil }
    }

    package var needsForeignKeysOff: Bool { actions.contains(where: \.needsForeignKeysOff) }

    /// A checksum of the steps that is equal in every run of the program: FNV-1a, 64 bits, in hexadecimal.
    public var checksum: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in actions.map(\.fingerprint).joined().utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
