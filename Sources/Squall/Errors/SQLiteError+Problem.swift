extension SQLiteError {
    /// Makes the error of a problem, with its code and its message.
    ///
    /// - Parameters:
    ///   - problem: The problem, which ``problem(_:)`` returns.
    ///   - subject: The table, the value or the file that the problem is about, for the message.
    ///   - sql: The SQL that failed, as it was given.
    ///   - hint: Advice on fixing the error; `nil` for that of the problem.
    public init(_ problem: some SQLiteProblem, of subject: Subject? = nil, sql: String? = nil, hint: String? = nil) {
        self.init(.problem(problem, of: subject), code: problem.code, sql: sql, hint: hint)
    }

    /// Returns the problem of the error, if it is one of this type.
    ///
    ///     catch let error as SQLiteError where error.problem(UndoProblem.self) == .altered
    ///
    ///     if case .limit(let limit)? = error.problem(UndoProblem.self) { … }
    public func problem<P: SQLiteProblem>(_ type: P.Type) -> P? {
        if case .problem(let problem) = kind { problem.base as? P } else { nil }
    }

    /// The table, the value or the file that the problem is about; `nil` for a problem without one, and for another kind of
    /// error.
    public var subject: Subject? {
        if case .problem(let problem) = kind { problem.subject } else { nil }
    }

    /// A problem with its subject.
    public struct Problem: Hashable, Sendable {
        public let base: any SQLiteProblem
        public let subject: Subject?

        /// The message of an error with this problem.
        public var message: String { subject.map(base.message(of:)) ?? base.message }

        public static func == (left: Problem, right: Problem) -> Bool {
            left.subject == right.subject && AnyHashable(left.base) == AnyHashable(right.base)
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(subject)
            hasher.combine(AnyHashable(base))
        }
    }
}

extension SQLiteError.Problem: CustomStringConvertible {
    /// The type and the case, such as `BlobProblem.unknownRow`.
    @_documentation(visibility: internal)
    public var description: String { "\(type(of: base)).\(base)" }
}

extension SQLiteError.Kind {
    /// The kind of an error with a problem.
    public static func problem(_ problem: some SQLiteProblem, of subject: SQLiteError.Subject? = nil) -> Self {
        .problem(SQLiteError.Problem(base: problem, subject: subject))
    }
}
