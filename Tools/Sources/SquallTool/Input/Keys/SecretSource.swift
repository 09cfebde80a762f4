import ArgumentParser
import SquallBase
import SquallEncryption

/// The place that a key comes from: a file, a variable of the environment, or a person at a terminal.
struct SecretSource: Sendable {
    /// The file.
    var path: String?
    var variable = KeyVariable.key
    /// Whether the key is digits, which are those of a raw key.
    var isRaw = false

    /// The keys that were read or typed. A pipe can be read only once, and a person is asked only once.
    private static let known = Locked<[KeyVariable: [UInt8]]>([:])

    /// Returns the key that was given; `nil` if none was.
    ///
    /// - Throws: ``Failure`` for a key that cannot be read or used.
    func given() throws -> Encryption? {
        if let known = Self.known.withLock({ $0[variable] }) { return try encryption(of: known) }
        if let path { return try remember(KeyFile.read(path)) }
        guard let value = variable.value else { return nil }
        guard !value.isEmpty else {
            throw Failure("the variable \(variable.rawValue) is empty", exitCode: .validationFailure)
        }
        return try remember(value)
    }

    /// Asks for the key.
    ///
    /// - Parameters:
    ///   - path: The database, for the question.
    ///   - isNew: Whether it is a new key, which is asked for twice.
    ///   - reason: The message without a terminal.
    /// - Throws: ``Failure`` without a terminal, and for a key that cannot be used.
    func asked(for path: String, isNew: Bool = false, reason: String) throws -> Encryption {
        guard SecretPrompt.isPossible else { throw Failure(missingKey: reason, of: path, hint: hint) }
        let title = isNew ? "New key" : "Key"
        let key = try SecretPrompt.read("\(title) of \(path): ".printable)
        guard !key.isEmpty else { throw Failure("no key was typed", exitCode: .validationFailure) }
        if isNew, try SecretPrompt.read("\(title) again: ") != key {
            throw Failure("the two keys differ", exitCode: .validationFailure)
        }
        return try remember(key)
    }

    /// The options that give the key.
    private var hint: String {
        let option = variable == .key ? "--key-file" : "--new-key-file"
        return "\(option) or the variable \(variable.rawValue) gives it; on a terminal, it is asked for"
    }

    private func remember(_ key: [UInt8]) throws -> Encryption {
        let encryption = try encryption(of: key)
        Self.known.withLock { $0[variable] = key }
        return encryption
    }

    private func encryption(of key: [UInt8]) throws -> Encryption {
        guard isRaw else { return .passphrase { key } }
        guard [64, 96].contains(key.count), let bytes = HexadecimalDigits.bytes(of: key) else {
            throw Failure("a raw key has 64 or 96 hexadecimal digits", exitCode: .validationFailure)
        }
        return .rawKey(bytes)
    }
}
