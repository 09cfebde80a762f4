/// The errors of one part of the library, or of another library that is built on it: most often an enum with a case for each.
///
///     do {
///         try connection.withBlob(in: "files", column: "body", row: 3) { print($0.count) }
///     } catch let error as SQLiteError
///         where error.problem(BlobProblem.self) == .unknownRow
///     {
///         print("no such file")
///     }
///
/// A problem is thrown inside an ``SQLiteError``, `throw SQLiteError(BlobProblem.null)`, and does not conform to `Error`:
/// `catch BlobProblem.null` would compile then, and match nothing.
public protocol SQLiteProblem: Hashable, Sendable {
    /// The result code of the error.
    var code: ResultCode { get }

    /// The message of an error without a subject.
    var message: String { get }

    /// Returns the message of an error with a subject. The default returns ``message``.
    func message(of subject: SQLiteError.Subject) -> String

    /// Advice on fixing the error. The default is `nil`.
    var hint: String? { get }
}

extension SQLiteProblem {
    public func message(of subject: SQLiteError.Subject) -> String { message }

    public var hint: String? { nil }
}
