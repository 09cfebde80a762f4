extension ColumnDefinition {
    /// Replaces a default in SQL whose value the type of the column does not read, or stores otherwise: no condition would find it.
    /// Creating the column then throws.
    ///
    /// `CURRENT_TIMESTAMP` is such a default: a `Date` reads it, and is stored with a `T` and milliseconds.
    ///
    /// - Parameters:
    ///   - type: The Swift type.
    ///   - now: The current time as the column stores it, where it stores dates.
    ///   - rewrite: Reads a value, and returns it as the type stores it.
    mutating func checkDefault(
        of type: Any.Type, now: SQL?, _ rewrite: (SQLiteValue) throws -> BindingValue
    ) {
        // A value is written without parentheses, and is stored as any other value of the type.
        guard let expression = defaultValue, expression.failure == nil, expression.text.hasPrefix("(") else { return }
        let column = ColumnDefinition(name: "b", type: self.type, defaultValue: expression)
        let fault: String
        do {
            let connection = try Connection()
            try connection.run("CREATE TABLE t(a, \(column.sql.withLiterals))")
            try connection.run("INSERT INTO t(a) VALUES(1)")
            var rewritten: Result<BindingValue, any Error>?
            try connection.forEach("SELECT b FROM t") { row in
                guard let value = row.sqliteValue(at: 0), !value.isNull else { return }
                rewritten = Result { try rewrite(value) }
            }
            guard let rewritten else { return }
            let stored = try (connection.query("SELECT b FROM t") as BindingValue).literal
            switch rewritten {
            case .failure: fault = "is \(stored), which is no \(type)"
            case .success(let value):
                // As the column stores it.
                try connection.run("UPDATE t SET a = b, b = \(value)")
                if try connection.query("SELECT a IS b FROM t") { return }
                let other = try (connection.query("SELECT b FROM t") as BindingValue).literal
                fault = "is \(stored), which \(type) stores as \(other)"
            }
        } catch {
            // A function that only the program has cannot be called.
            return
        }
        let cure = now.map { ": the time in its form is `.default(.now)`, \($0.text)" } ?? ""
        defaultValue = .refused("the default \(expression.text) of the column \"\(name)\" \(fault)\(cure)")
    }
}
