/// A version of a ``Schema``: the steps that lead to it from the one before.
///
/// Versions are history. They are written once, and not edited after they have run anywhere; they never mention a record type,
/// which would change them when it changes.
public struct Version: Sendable {
    public let number: Int
    let actions: [SchemaAction]

    /// - Parameter number: From 1 on; gaps are allowed.
    public init(_ number: Int, @ListBuilder<any SchemaStep> steps: () -> [any SchemaStep]) {
        self.number = number
        actions = steps().map { SchemaAction($0) }
    }

    var needsForeignKeysOff: Bool { actions.contains(where: \.needsForeignKeysOff) }

    /// A number for what the steps do, the same in every run of the program: FNV-1a, 64 bits, in hexadecimal.
    public var checksum: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in actions.map(\.fingerprint).joined().utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
