import ArgumentParser
import Squall
import SquallEncryption

struct Decrypt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes an encrypted database in clear, in place or to a new file.",
        discussion: """
            EXAMPLES
              squall decrypt app.db --key-file app.key
              squall decrypt app.db --output plain.db

            Without --output, the new file takes the place of the database as with 'squall encrypt'. A kill may leave a file in \
            clear beside it that ends with .tmp.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @OptionGroup
    var output: CopyOutput

    func run() async throws {
        let file = source.file
        try EncryptionVerb.check(file)
        try EncryptionVerb.checkIsEncrypted(source.database)
        let start = ContinuousClock.now
        let copy = EncryptedCopy(
            source: source.database, encryption: nil, key: source.encryption.key, output: output, verb: "decrypt")
        try await EncryptionVerb.report(output.path ?? file, "decrypted", since: start, copy.write())
    }
}
