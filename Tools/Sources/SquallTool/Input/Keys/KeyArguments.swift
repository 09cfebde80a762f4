import ArgumentParser
import SquallEncryption

/// The options that give the key of an encrypted database.
struct KeyArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file with the key of an encrypted database. Without it, the key is in the variable SQUALL_KEY, or is asked for on a terminal.",
            valueName: "path"),
        completion: .file())
    var keyFile: String?

    @Flag(help: "The key is 64 or 96 hexadecimal digits: a raw key.")
    var rawKey = false

    @OptionGroup
    var cipher: CipherArguments

    var key: DatabaseKey {
        DatabaseKey(
            source: SecretSource(path: keyFile, variable: .key, isRaw: rawKey), parameters: cipher.parameters)
    }
}

/// The options that give the parameters of an encrypted database, which are not in the file.
struct CipherArguments: ParsableArguments {
    /// The version of SQLCipher whose format a file has.
    enum Compatibility: String, ExpressibleByArgument, CaseIterable {
        case three = "3"
        case four = "4"

        fileprivate var parameter: Encryption.Parameters.Compatibility {
            switch self {
            case .three: .sqlCipher3
            case .four: .sqlCipher4
            }
        }
    }

    @Option(help: ArgumentHelp("The version of SQLCipher whose format the file has.", valueName: "version"))
    var cipherCompatibility: Compatibility?

    @Option(help: ArgumentHelp("The size of its pages, if it is not the default.", valueName: "bytes"))
    var cipherPageSize: Int?

    @Option(help: ArgumentHelp("The iterations that derive its key, if not the default.", valueName: "number"))
    var kdfIterations: Int?

    @Option(
        help: ArgumentHelp("The salt of a file whose first 32 bytes are in clear: 32 digits.", valueName: "hex"))
    var plaintextHeaderSalt: String?

    func validate() throws {
        if let size = cipherPageSize, !(1_024...65_536).contains(size) || size & (size - 1) != 0 {
            throw ValidationError("The page size must be a power of two from 1024 to 65536.")
        }
        if let kdfIterations, !(1...Int(Int32.max)).contains(kdfIterations) {
            throw ValidationError("The number of iterations must be from 1 to \(Int32.max).")
        }
        if plaintextHeaderSalt != nil, salt?.count != 16 {
            throw ValidationError("The salt must be 32 hexadecimal digits.")
        }
    }

    private var salt: [UInt8]? { plaintextHeaderSalt.flatMap { HexadecimalDigits.bytes(of: Array($0.utf8)) } }

    var parameters: Encryption.Parameters {
        var parameters = Encryption.Parameters()
        parameters.compatibility = cipherCompatibility?.parameter
        parameters.pageSize = cipherPageSize
        parameters.iterations = kdfIterations
        parameters.plaintextHeaderSalt = salt
        return parameters
    }
}
