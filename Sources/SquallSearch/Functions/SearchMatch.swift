import Squall
import SquallSQLite

/// A row that a full-text search has found, in a call of a ranking or search function. It is valid only during that call, which the
/// compiler checks.
///
/// Columns, phrases and instances are counted from 0, in the order of the search table and of the pattern.
public struct SearchMatch: ~Copyable {
    let api: UnsafePointer<Fts5ExtensionApi>
    let context: OpaquePointer
    /// The first code of an error in a method that does not throw.
    let failureCode: UnsafeMutablePointer<Int32>
    let callbacks: UnsafeMutablePointer<Callbacks>

    /// The rowid of the row.
    public var rowID: Int64 { api.pointee.xRowid(context) }

    /// The number of columns of the search table.
    public var columnCount: Int { Int(api.pointee.xColumnCount(context)) }

    /// The number of rows of the search table.
    ///
    /// - Throws: `SQLiteError`.
    public var rowCount: Int {
        get throws {
            var count: Int64 = 0
            try check(api.pointee.xRowCount(context, &count))
            return Int(count)
        }
    }

    /// Returns the number of tokens of the row, in one column or in all of them.
    ///
    /// - Throws: `SQLiteError`.
    public borrowing func tokenCount(column: Int? = nil) throws -> Int {
        var count: Int32 = 0
        try check(api.pointee.xColumnSize(context, try number(ofColumn: column), &count))
        return Int(count)
    }

    /// Returns the number of tokens of all rows, in one column or in all of them.
    ///
    /// - Throws: `SQLiteError`.
    public borrowing func totalTokenCount(column: Int? = nil) throws -> Int {
        var count: Int64 = 0
        try check(api.pointee.xColumnTotalSize(context, try number(ofColumn: column), &count))
        return Int(count)
    }

    private borrowing func number(ofColumn column: Int?) throws -> Int32 {
        guard let column else { return -1 }
        try checkColumn(column)
        return Int32(column)
    }
}

extension SearchMatch {
    borrowing func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw SQLiteError(code: code, message: ResultCode(rawValue: code & 0xff).description) }
    }

    borrowing func checkColumn(_ index: Int) throws {
        if index < 0 || index >= columnCount { throw Self.rangeError("column", index) }
    }

    borrowing func checkPhrase(_ index: Int) throws {
        if index < 0 || index >= phraseCount { throw Self.rangeError("phrase", index) }
    }

    static func rangeError(_ part: String, _ index: Int) -> SQLiteError {
        SQLiteError(SearchFunctionProblem.noSuchPart(part, index: index))
    }

    /// Keeps the code of an error in a method that does not throw. The function then fails.
    borrowing func fail(_ code: Int32) {
        if failureCode.pointee == SQLITE_OK { failureCode.pointee = code }
    }
}
