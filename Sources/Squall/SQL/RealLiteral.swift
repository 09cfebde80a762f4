import SquallSQLite

/// The literal of a number in SQL.
enum RealLiteral {
    /// Returns a text that SQLite reads as the number, of 17 to 20 digits where the shortest is read as one beside it. For some numbers
    /// below 1e-290 there is none.
    static func text(of number: Double) -> String {
        let shortest = "\(number)"
        // Few digits without an exponent are read exactly.
        if shortest.utf8.count < 16 && !shortest.contains("e") || read(shortest) == number { return shortest }
        let longer = (17...20).lazy.map { digits in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 40) { text in
                _ = withVaList([Int32(digits), number]) { sqlite3_vsnprintf(40, text.baseAddress, "%!.*g", $0) }
                return text.baseAddress.map { String(cString: $0) } ?? shortest
            }
        }
        return longer.first { read($0) == number } ?? shortest
    }

    /// Returns the number that SQLite reads.
    private static func read(_ text: String) -> Double? {
        var (handle, statement): (OpaquePointer?, OpaquePointer?) = (nil, nil)
        defer {
            sqlite3_finalize(statement)
            sqlite3_close(handle)
        }
        sqlite3_open(":memory:", &handle)
        sqlite3_prepare_v2(handle, "SELECT \(text)", -1, &statement, nil)
        return sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_double(statement, 0) : nil
    }
}
