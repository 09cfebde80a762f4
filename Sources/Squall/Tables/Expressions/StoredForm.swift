/// How the values of an expression are stored, which decides whether two of them can be compared or assigned.
enum StoredForm: Equatable, Sendable {
    /// As their type is stored.
    case plain
    /// In a ``StorageForm``.
    case named(String)
    /// In the form that SQL of the program gives them.
    case unknown

    fileprivate func fits(_ other: StoredForm) -> Bool {
        self == other || self == .unknown || other == .unknown
    }
}

extension SQL {
    /// Makes the statement throw when two forms differ: comparing or assigning across them would be silently wrong.
    mutating func check(_ form: StoredForm, fits other: StoredForm) {
        if !form.fits(other) { fail(SQLiteError(ExpressionProblem.differentForms(sql: text))) }
    }
}
