import Squall
import SquallSearch

/// Adds the extensions of an app to a connection, and its functions and collations by name.
struct SchemaStubs {
    let connection: Connection

    /// Loads extensions.
    ///
    /// - Throws: ``Diagnostic`` for one that cannot be loaded.
    func load(_ extensions: [String]) throws {
        for path in extensions {
            do {
                try connection.loadExtension(path)
            } catch let error as SQLiteError {
                throw Diagnostic(.error, "the extension cannot be loaded: \(error.message)", at: .start(of: path))
            }
        }
        // The functions and the tokenizer that Squall adds to SQL. Without FTS5, the tokenizer is not added.
        try? connection.addCJKTokenizer()
        try? connection.addVectorFunctions()
    }

    /// Adds functions that can be named but not called, and returns them without repetitions.
    ///
    /// - Throws: ``Diagnostic`` for functions that differ only in their results, or that SQLite refuses.
    func add(_ functions: [FunctionDeclaration]) throws -> [FunctionDeclaration] {
        var known: [FunctionDeclaration] = []
        for function in functions {
            let other = known.first { $0.name == function.name && $0.arguments?.count == function.arguments?.count }
            if let other {
                if other.hasSameTypes(as: function) { continue }
                throw Diagnostic(
                    .error, "\(function.name) is declared with other types at \(other.location)", at: function.location)
            }
            known.append(function)
            try add(function)
        }
        return known
    }

    private func add(_ function: FunctionDeclaration) throws {
        let count = function.arguments?.count ?? -1
        let message = "the function \(function.name) of the app cannot be called while its SQL is checked"
        do {
            // Deterministic, so that indexes, generated columns and CHECK constraints may use it.
            try connection.addFunction(
                function.name.spelling, argumentCount: count,
                flags: FunctionFlags(deterministic: true, directOnly: false, innocuous: false),
                call: { $0.fail(message, code: ResultCode.error.rawValue) })
        } catch let error as SQLiteError {
            throw Diagnostic(.error, error.message, at: function.location)
        }
    }

    /// Adds collations, which compare bytes.
    func add(collations: [String]) throws {
        for name in collations {
            try connection.addCollation(name) { (left: String, right: String) in
                left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
            }
        }
    }
}

extension FunctionDeclaration {
    fileprivate func hasSameTypes(as other: FunctionDeclaration) -> Bool {
        arguments == other.arguments && result == other.result && resultIsOptional == other.resultIsOptional
    }
}
