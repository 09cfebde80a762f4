import SquallSQLite

extension Connection {
    /// Runs a closure whose statements neither the authorizer nor the progress handler can stop: rollbacks, PRAGMAs, and
    /// other SQL of the library.
    ///
    /// - Parameter isHidden: Whether trace observers are not called either.
    package func internally<Result>(isHidden: Bool, _ body: () throws -> Result) rethrows -> Result {
        let outer = callbacks.pointee
        callbacks.pointee.isInternal = true
        callbacks.pointee.isHidden = isHidden
        defer {
            callbacks.pointee.isInternal = outer.isInternal
            callbacks.pointee.isHidden = outer.isHidden
        }
        return try body()
    }

    /// Runs SQL internally, and stores the last number that it returns. Without one, `value` remains as it was.
    @discardableResult
    func runInternally(
        _ sql: String, on handle: OpaquePointer, isHidden: Bool = false, into value: inout Int
    ) -> Int32 {
        internally(isHidden: isHidden) {
            sqlite3_exec(
                handle, sql,
                { context, _, values, _ in
                    guard let text = values?.pointee.map({ String(cString: $0) }), let number = Int(text) else {
                        return 0
                    }
                    context?.assumingMemoryBound(to: Int.self).pointee = number
                    return 0
                }, &value, nil
            )
        }
    }

    /// Runs SQL internally, without its rows, and returns SQLite's result code.
    @discardableResult
    package func runInternally(_ sql: String, on handle: OpaquePointer) -> Int32 {
        var value = 0
        return runInternally(sql, on: handle, into: &value)
    }

    /// Returns the number that a PRAGMA returns, 0 without one; `nil` when it fails.
    @discardableResult
    package func pragmaValue(_ pragma: String, on handle: OpaquePointer) -> Int? {
        var value = 0
        return runInternally("PRAGMA \(pragma)", on: handle, isHidden: true, into: &value) == SQLITE_OK ? value : nil
    }
}
