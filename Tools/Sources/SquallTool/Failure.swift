import ArgumentParser
import Foundation
import Squall
import SquallEncryption

/// The error that ended the tool: a message for people and an exit code for scripts.
struct Failure: Error {
    private var message: String
    /// Further lines of the message.
    private var details: [String] = []
    private let place: SQLiteError.Location?
    private var hint: String?
    private(set) var exitCode: ExitCode
    /// Whether a file needs a key, and none was given.
    private(set) var isOfMissingKey = false

    init(_ message: String, exitCode: ExitCode, hint: String? = nil) {
        self.message = message
        self.place = nil
        self.hint = hint
        self.exitCode = exitCode
    }

    init(_ error: SQLiteError, exitCode: ExitCode) {
        message = "\(error.toolMessage) (\(error.extendedResultCode.name))"
        place = error.location
        hint = error.toolHint
        self.exitCode = exitCode
        isOfMissingKey = error.problem(FileProblem.self) == .encrypted
    }

    /// Creates the failure for a database that needs a key.
    init(missingKey message: String, of path: String, hint: String) {
        self.init("\(path): \(message)", exitCode: .validationFailure, hint: hint)
        isOfMissingKey = true
    }

    init(_ error: SchemaError, exitCode: ExitCode) {
        let lines = error.lines
        message = lines[0]
        details = Array(lines.dropFirst())
        place = nil
        hint = error.toolHint
        self.exitCode = exitCode
    }

    /// Returns the failure for an error, or `nil` for ArgumentParser's errors.
    ///
    /// - Parameter file: The database that the error is about. The message begins with it.
    init?(_ error: any Error, file: String? = nil) {
        switch error {
        case let failure as Failure:
            self = failure
            return
        case let error as SQLiteError:
            let isMissing = file.map { $0 != ":memory:" && !FileManager.default.fileExists(atPath: $0) } ?? false
            // A file that must exist is checked before SQLite opens it.
            let isNotCreated = isMissing && error.resultCode == .cantOpen
            self.init(error, exitCode: isNotCreated ? .cannotCreate : error.toolExitCode)
            if let file, error.resultCode == .cantOpen, SideFiles.needsFolder(of: file) {
                (hint, exitCode) = (SQLiteError.folderHint, .noPermission)
            }
        case let error as SchemaError: self.init(error, exitCode: ExitCode(error))
        case let error as ScriptFileError: self.init(error.description, exitCode: .badInput)
        case let error as ConversionError: self.init(error.description, exitCode: .sqlError)
        default: return nil
        }
        if let file { name(file) }
    }

    /// Returns the failure for a schema in a folder of files.
    init(_ error: SchemaError, folder: String) {
        self.init(error, exitCode: .badInput)
        name(folder)
    }

    /// Returns the failure with a place at the beginning of its message: `standard input, line 5`.
    func at(_ place: String) -> Failure {
        var failure = self
        failure.message = "\(place): \(message)"
        return failure
    }

    /// Returns the failure with a hint, if it has none.
    func hinting(_ hint: String) -> Failure {
        var failure = self
        failure.hint = self.hint ?? hint
        return failure
    }

    private mutating func name(_ file: String) {
        if file != ":memory:" { message = "\(file): \(message)" }
    }
}

extension SQLiteError {
    /// The hint for a database in a directory that cannot be written.
    fileprivate static let folderHint =
        "SQLite cannot make its files (-wal, -shm, -journal) beside the database, because the directory cannot be "
        + "written: copy the database and its -wal file to another directory"

    /// The message in the words of the tool. The file is named at its begin already.
    fileprivate var toolMessage: String {
        switch problem(FileProblem.self) {
        case .encrypted: "the file seems to be encrypted"
        case .wrongKey: "the key is not that of the file"
        case .notEncrypted: "the file is not encrypted, and a key is given"
        default: message
        }
    }

    /// A key that cannot be used is wrong usage.
    fileprivate var toolExitCode: ExitCode {
        switch problem(EncryptionProblem.self) {
        case .encryptionMissing, .needsFile, .emptyKey, .rawKeySize, .passphraseIsRawKey, .invalidParameter:
            .validationFailure
        default: ExitCode(resultCode)
        }
    }

    private static let cipherHint =
        "this squall runs on an SQLite without a cipher; SQLCipher and SQLite3 Multiple Ciphers have one"

    /// The hint in the words of the tool. Some hints of the library address Swift programmers.
    fileprivate var toolHint: String? {
        switch problem(FileProblem.self) {
        case .encrypted: return SQLiteLibrary.cipher == nil ? Self.cipherHint : nil
        case .notEncrypted: return "leave out --key-file and the variable SQUALL_KEY"
        default: break
        }
        switch problem(EncryptionProblem.self) {
        case .encryptionMissing: return Self.cipherHint
        case .passphraseIsRawKey: return "--raw-key takes the digits alone"
        case .headerInClear, .unsafeRekey: return "use 'squall decrypt' and 'squall encrypt', which write new files"
        case .keyNotChanged, .damagedPage: return hint
        case .some: return nil
        case nil: break
        }
        return switch extendedResultCode.rawValue {
        case _ where resultCode == .misuse: nil
        // SQLITE_READONLY_CANTINIT and SQLITE_READONLY_DIRECTORY
        case ResultCode.readOnly.rawValue | 5 << 8, ResultCode.readOnly.rawValue | 6 << 8:
            Self.folderHint
        // SQLITE_ERROR_MISSING_COLLSEQ
        case ResultCode.error.rawValue | 1 << 8:
            "only the program of the database knows the collation; 'squall doctor' lists what needs it"
        default:
            hint?.contains("\\(") == true
                ? "a parameter stands for a value: write names and keywords, and the values of a definition or a PRAGMA, into the SQL"
                : hint
        }
    }
}

extension SchemaError {
    /// The message in the words of the tool, one line for each problem.
    var lines: [String] {
        switch self {
        case .invalid(let reasons) where !reasons.isEmpty, .obstacles(let reasons) where !reasons.isEmpty: reasons
        case .skippedVersions(let versions):
            ["the file has a later version, but never ran \(versions.map { "version \($0)" }.joined(separator: ", "))"]
        default: [description]
        }
    }

    /// The options of 'squall migrate up' that help.
    fileprivate var toolHint: String? {
        switch self {
        case .skippedVersions:
            "give the added versions higher numbers, or run them with 'squall migrate up --run-skipped'"
        case .editedVersions: "undo the edits, or go on in spite of them with 'squall migrate up --ignore-edits'"
        default: nil
        }
    }
}

extension Failure: CustomStringConvertible {
    /// The lines of the message, the line of SQL with a caret below the error, and the hint.
    var description: String {
        var lines = ["error: \(message.printable)"] + details.map { "  \($0.printable)" }
        if let place { lines += place.excerpt.map { "  " + $0 } }
        if let hint { lines.append("hint: \(hint.printable)") }
        return lines.joined(separator: "\n")
    }
}

// The exit codes of `sysexits.h`, except for 1 and 2. An interrupt ends the process by its signal, which shells report as 130.
extension ExitCode {
    /// The answer is no: the files differ, the check found problems, versions are pending.
    static let no = ExitCode(1)
    /// An error in the SQL or the data.
    static let sqlError = ExitCode(2)
    /// An input file with invalid content.
    static let badInput = ExitCode(EX_DATAERR)
    static let noInput = ExitCode(EX_NOINPUT)
    static let cannotCreate = ExitCode(EX_CANTCREAT)
    static let ioError = ExitCode(EX_IOERR)
    /// A failure that may not occur on another attempt.
    static let temporaryFailure = ExitCode(EX_TEMPFAIL)
    static let noPermission = ExitCode(EX_NOPERM)
    /// The user pressed ^C.
    static let interrupted = ExitCode(130)

    init(_ code: ResultCode) {
        switch code {
        case .notADatabase, .corrupt: self = .badInput
        case .cantOpen: self = .noInput
        case .ioError, .full: self = .ioError
        case .busy, .locked: self = .temporaryFailure
        case .interrupt: self = .interrupted
        case .readOnly, .permissionDenied, .authorizationDenied: self = .noPermission
        default: self = .sqlError
        }
    }

    init(_ error: SchemaError) {
        switch error {
        case .stillLocked: self = .temporaryFailure
        case .damagedHistory: self = .badInput
        default: self = .sqlError
        }
    }
}
