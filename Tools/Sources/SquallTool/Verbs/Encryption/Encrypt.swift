import ArgumentParser
import Squall
import SquallEncryption

struct Encrypt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Encrypts a database, in place or to a new file.",
        discussion: """
            EXAMPLES
              squall encrypt app.db --key-file app.key
              squall encrypt app.db --output sealed.db

            It needs an SQLite with a cipher: SQLCipher or SQLite3 Multiple Ciphers. The key is the one that the file gets; on a \
            terminal, it is asked for twice. Whoever loses it loses the rows.

            Without --output, the new file takes the place of the database when it is complete, checked and on the disk: a \
            failure, ^C or a crash leaves the old file or the new one. A database that another process uses is refused. The \
            journal mode, the owner and the permissions stay. A kill may leave a file beside it that ends with .tmp, and a \
            database that was in WAL mode in the mode DELETE.

            The disk, its snapshots and the backups may still have the content in clear.
            """
    )

    @Argument(help: "The database.", completion: .file())
    var file: String

    @OptionGroup
    var output: CopyOutput

    @Option(help: ArgumentHelp("How long to wait for a database that is locked.", valueName: "seconds"))
    var timeout: UInt32 = 5

    @OptionGroup(title: "Encrypted files")
    var encryption: KeyArguments

    func run() async throws {
        let source = DatabaseFile(path: file, timeout: timeout)
        try EncryptionVerb.check(file)
        do {
            _ = try source.use { _ in }
        } catch let failure as Failure where failure.isOfMissingKey {
            throw Failure(
                "\(file): the file seems to be encrypted already", exitCode: .badInput,
                hint: "'squall rekey' changes the key")
        }
        let start = ContinuousClock.now
        let key = encryption.key
        let copy = try EncryptedCopy(
            source: source, encryption: key.new(for: file), key: key, output: output, verb: "encrypt")
        try await EncryptionVerb.report(output.path ?? file, "encrypted", since: start, copy.write())
    }
}
