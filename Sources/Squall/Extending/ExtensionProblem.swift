/// The reason why an extension is not loaded. The path of its library is the error's ``SQLiteError/subject``, and the error's
/// message is that of the loader, or of the extension.
public enum ExtensionProblem: SQLiteProblem {
    /// Thrown when the path has no file, or the file is not a library of this platform.
    case library
    /// Thrown when the library has no function with the name of the entry point.
    case entryPoint
    /// Thrown when the entry point has reported an error.
    case initialization
}

extension ExtensionProblem {
    public var code: ResultCode { .error }

    public var message: String { message(of: SQLiteError.Subject()) }

    public func message(of subject: SQLiteError.Subject) -> String {
        "the extension \(subject.pathName) cannot be loaded"
    }
}
