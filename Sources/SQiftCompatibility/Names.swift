import Foundation
import SquallSQLite

extension Connection {
    /// Compares two texts.
    public typealias Collation = (_ lhs: String, _ rhs: String) -> ComparisonResult

    /// Called before each commit of a transaction that has written. If it returns `true`, the transaction is rolled back.
    public typealias CommitHook = () -> Bool

    /// Called after each rollback.
    public typealias RollbackHook = () -> Void

    /// Decides, from the number of earlier calls for a lock, whether to try again.
    public typealias CustomBusyHandler = (_ invocationCount: Int32) -> Bool

    /// The behaviour when another connection of a shared cache has locked a table.
    public var tableLockPolicy: TableLockPolicy { lockPolicy }

    /// Whether SQLite was compiled for use from several threads.
    public var threadSafe: Bool { sqlite3_threadsafe() > 0 }

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
