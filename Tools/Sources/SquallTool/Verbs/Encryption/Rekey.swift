import ArgumentParser
import Squall
import SquallEncryption

struct Rekey: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Changes the key of an encrypted database.",
        discussion: """
            EXAMPLES
              squall rekey app.db --key-file old.key --new-key-file new.key

            All pages are encrypted again in one transaction of SQLite: a failure or a crash leaves the old key. Other programs \
            must open the database again with the new one. The parameters stay; 'squall decrypt' and 'squall encrypt' change them.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @Option(
        help: ArgumentHelp(
            "The file with the new key. Without it, the key is in the variable SQUALL_NEW_KEY, or is asked for on a terminal.",
            valueName: "path"),
        completion: .file())
    var newKeyFile: String?

    @Flag(help: "The new key is 64 or 96 hexadecimal digits: a raw key.")
    var newRawKey = false

    func run() throws {
        let file = source.database
        try EncryptionVerb.check(source.file)
        try EncryptionVerb.checkIsEncrypted(file)
        let start = ContinuousClock.now
        let newKey = DatabaseKey(
            source: SecretSource(path: newKeyFile, variable: .newKey, isRaw: newRawKey),
            parameters: source.encryption.cipher.parameters)
        let encryption = try newKey.new(for: source.file)
        try Interruption.handling { _ in
            // Encrypting that has begun is finished. A second signal ends the process, and the old key stays.
            try file.naming {
                let database = try file.use(.writing) { try file.openDatabase(.writing, as: $0) }
                defer { try? database.blocking.close() }
                try database.blocking.rekey(to: encryption)
            }
        }
        try EncryptionVerb.report(source.file, "the key is changed", since: start, nil)
    }
}
