import SquallSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error thrown by code that SQLite calls, with the message and the code that SQLite receives for it.
package struct ThrownError {
    let error: any Error
    let message: String
    let code: Int32

    package init(_ error: any Error) {
        self.error = error
        switch error {
        case let error as SQLiteError: (message, code) = (error.message, Self.errorCode(error.extendedCode))
        case let error as any LocalizedError: (message, code) = (error.errorDescription ?? "\(error)", SQLITE_ERROR)
        default: (message, code) = ("\(error)", SQLITE_ERROR)
        }
    }

    /// Returns a code that SQLite treats as an error of the code that it calls: it gives some codes a meaning of their own.
    static func errorCode(_ code: Int32) -> Int32 {
        let isError =
            code > 0 && ![SQLITE_OK, SQLITE_ROW, SQLITE_DONE, SQLITE_SCHEMA].contains(code & 0xff)
            && code != ResultCode.lockedSharedCache.rawValue
        return isError ? code : SQLITE_ERROR
    }

    /// Whether SQLite reports this error. The message of SQLite ends at a NUL character.
    fileprivate func isReported(by error: SQLiteError) -> Bool {
        error.extendedCode == Callbacks.failureCode || error.message.utf8.elementsEqual(message.utf8.prefix { $0 != 0 })
    }
}

extension Connection {
    /// Returns the error of a result code: the one that a callback has thrown, if SQLite reports that one.
    package func failure(_ code: Int32, sql: String?) -> any Error {
        defer { noteLostTransaction() }
        return rethrown(error(code, sql: sql))
    }

    /// Notes that an error has rolled back the transaction: `INSERT OR ROLLBACK`, or a full disk.
    private func noteLostTransaction() {
        guard let openHandle, sqlite3_txn_state(openHandle, nil) != SQLITE_TXN_WRITE else { return }
        didRollBack()
    }

    /// Returns the error that a callback has thrown, if `error` reports it, and otherwise `error`.
    func rethrown(_ error: SQLiteError) -> any Error {
        guard let thrown = callbacks.pointee.thrownError else {
            // Without its error, the code of our own means nothing to the caller.
            let isOwnCode = error.extendedCode == Callbacks.failureCode
            return isOwnCode ? SQLiteError(code: SQLITE_ERROR, message: error.message, sql: error.sql) : error
        }
        callbacks.pointee.thrownError = nil
        return thrown.isReported(by: error) ? thrown.error : error
    }
}
