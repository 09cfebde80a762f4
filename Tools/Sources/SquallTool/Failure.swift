import ArgumentParser
import Foundation
import Squall

/// The error that ended the tool: a message for people and an exit code for scripts.
struct Failure: Error {
    private var message: String
    private let place: SQLiteError.Location?
    private let hint: String?
    let exitCode: ExitCode

    init(_ message: String, exitCode: ExitCode, hint: String? = nil) {
        self.message = message
        self.place = nil
        self.hint = hint
        self.exitCode = exitCode
    }

    init(_ error: SQLiteError, exitCode: ExitCode) {
        message = "\(error.message) (\(error.extendedResultCode.name))"
        place = error.location
        // The hints for misuse address Swift programmers.
        hint = error.resultCode == .misuse ? nil : error.hint
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
        case let error as SQLiteError: self.init(error, exitCode: ExitCode(error.resultCode))
        case let error as SchemaError: self.init(error.description, exitCode: ExitCode(error))
        case let error as ScriptFileError: self.init(error.description, exitCode: .badInput)
        case let error as ConversionError: self.init(error.description, exitCode: .sqlError)
        default: return nil
        }
        if let file, file != ":memory:" { message = "\(file): \(message)" }
    }
}

extension Failure: CustomStringConvertible {
    /// The message, the line of SQL with a caret below the error, and the hint.
    var description: String {
        var lines = ["error: \(message.printable)"]
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
