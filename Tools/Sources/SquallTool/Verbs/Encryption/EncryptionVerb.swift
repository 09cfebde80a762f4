import Squall
import SquallEncryption

/// The verbs that change the encryption of a database.
enum EncryptionVerb {
    /// Checks that the library has a cipher, and that a database is a file.
    static func check(_ path: String) throws {
        guard SQLiteLibrary.cipher != nil else { throw SQLiteError(EncryptionProblem.encryptionMissing) }
        guard path != ":memory:" else {
            throw Failure(
                "':memory:' is not a file", exitCode: .validationFailure, hint: "'./:memory:' is a file with this name")
        }
        try SideFiles.check(database: path)
    }

    /// Checks that the key of a database is that of its file.
    static func checkIsEncrypted(_ file: DatabaseFile) throws {
        try file.use { connection in
            guard connection.configuration.encryption != nil else {
                throw Failure("\(file.path): the file is not encrypted", exitCode: .badInput)
            }
        }
    }

    /// Prints the line of a verb that has done its work.
    static func report(
        _ path: String, _ work: String, since start: ContinuousClock.Instant, _ report: IntegrityReport?
    ) throws {
        let time = (ContinuousClock.now - start).inSeconds
        try Output.printLine("\(path.printable): \(work) in \(time)\(report?.summary ?? "")")
    }
}
