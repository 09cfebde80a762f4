#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The identifier of a session: 256 random bits as base64url, which has 43 characters.
struct SessionID: Sendable {
    let text: String

    private static let length = 43

    /// Makes a new identifier with the random numbers of the system, which are safe for secrets.
    static func random() -> SessionID {
        var generator = SystemRandomNumberGenerator()
        return SessionID(unchecked: Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }))
    }

    private init(unchecked bytes: Data) {
        text = String(
            bytes.base64EncodedString().map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }.prefix(Self.length))
    }

    /// Reads the value of a cookie; `nil` unless it has the form of an identifier.
    init?(_ text: String) {
        guard text.utf8.count == Self.length, text.utf8.allSatisfy(Self.isDigit) else { return nil }
        self.text = text
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
