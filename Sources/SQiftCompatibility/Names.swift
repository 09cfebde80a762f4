import Foundation

extension Connection {
    /// The outcome of a backup, under SQift's name for ``BackupResult``.
    public typealias BackupResult = Squall.BackupResult

    /// Adds a collation, and returns an error where `addCollation` throws it.
    ///
    /// - Returns: The error when the collation could not be added; one of that name that was there before is kept.
    @discardableResult
    public func createCollation(named name: String, collate: @escaping Collation) -> SQLiteError? {
        do {
            try addCollation(name, collate)
            return nil
        } catch let error as SQLiteError {
            return error
        } catch {
            return SQLiteError(code: ResultCode.error.rawValue, message: "\(error)")
        }
    }
}

extension Row {
    /// Returns the value of a column by number, as the optional subscript does.
    public func value<T: ColumnReadable>(at columnIndex: Int) -> T? {
        self[columnIndex]
    }

    /// Returns the value of a column by name, as the optional subscript does.
    public func value<T: ColumnReadable>(forColumnName columnName: String) -> T? {
        self[columnName]
    }
}

/// Binds NULL.
extension NSNull: Bindable {
    public var bindingValue: BindingValue { .null }
}
