import Foundation

extension Connection {
    /// The outcome of a backup, under SQift's name for ``BackupResult``.
    public typealias BackupResult = Squall.BackupResult

    /// Adds a collation, and returns the error that `addCollation` throws.
    ///
    /// - Returns: The error if the collation could not be added. An existing collation with that name is then kept.
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
