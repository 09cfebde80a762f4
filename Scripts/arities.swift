// Writes the forms of `bind` and `run` for one to eight values: `make arities`.
//
// A parameter pack is bound in a loop that copies each value and looks up its functions. These forms bind each value directly:
// a prepared insert of six mixed values takes 600 instructions less (callgrind, 2026-11-23).

import Foundation

let letters = ["A", "B", "C", "D", "E", "F", "G", "H"]

/// Returns the forms of a function, for one to eight values.
func forms(_ form: (_ generics: String, _ parameters: String, _ bindings: String, _ count: Int) -> String) -> String {
    (1...letters.count).map { count in
        let types = letters.prefix(count)
        return form(
            types.map { "\($0): StatementParameter" }.joined(separator: ", "),
            types.map { "_ \($0.lowercased()): \($0)" }.joined(separator: ", "),
            types.map { "try parameter.bindNext(\($0.lowercased()))" }.joined(separator: "\n        "),
            count
        )
    }.joined(separator: "\n\n")
}

let head = "// Written by `Scripts/arities.swift`, which says what for. Do not edit it here.\n\n"

let bind = forms { generics, parameters, bindings, count in
    """
        @_documentation(visibility: internal)
        @inlinable
        @discardableResult
        public func bind<\(generics)>(
            \(parameters)
        ) throws -> Statement {
            try bindEach(count: \(count)) { parameter in
            \(bindings)
            }
            return self
        }
    """
}

let run = forms { generics, parameters, bindings, count in
    """
        @_documentation(visibility: internal)
        @inlinable
        public func run<\(generics)>(
            _ sql: SQL, \(parameters)
        ) throws {
            let entry = try borrow(sql, count: \(count))
            defer { self.return(entry) }
            var parameter = entry.firstParameter
            \(bindings)
            try entry.run()
        }
    """
}

func write(_ text: String, to path: String) throws {
    try Data((head + text + "\n").utf8).write(to: URL(fileURLWithPath: path))
}

try write("extension Statement {\n\(bind)\n}", to: "Sources/Squall/Connection/Statements/Statement+BindArity.swift")
try write("extension Connection {\n\(run)\n}", to: "Sources/Squall/Queries/Connection+RunArity.swift")
