/// The public declarations of a module, from the interface that `swift synthesize-interface` prints.
///
/// The symbol graph has neither `~Copyable` nor `noasync`, and lists conformances that follow from others.
struct Interface {
    /// An unexpected form of the interface.
    struct FormError: Error, CustomStringConvertible {
        let description: String
    }

    /// A type or an extension whose members are being read.
    private struct Scope {
        var path = ""
        var constraint = ""
        var isProtocol = false
    }

    private let module: String
    private var scopes = [Scope()]
    private(set) var declarations: [Declaration] = []

    init(of module: String, _ text: String) throws {
        self.module = module
        var statement = ""
        for line in text.split(separator: "\n") {
            let line = line.drop { $0 == " " }
            if line.isEmpty || statement.isEmpty && line.hasPrefix("//") { continue }
            statement += (statement.isEmpty ? "" : " ") + line
            if try read(statement) { statement = "" }
        }
        if !statement.isEmpty || scopes.count != 1 {
            throw FormError(description: "the interface of \(module) ends inside a declaration: \(statement)")
        }
        removeRepeatedConstants()
        declarations.sort()
    }

    /// The compiler prints a constant outside types a second time, as a `var`.
    private mutating func removeRepeatedConstants() {
        let constants = Set(
            declarations.filter { $0.path.isEmpty && $0.text.hasPrefix("let ") }.map { $0.text.dropFirst(4) })
        declarations.removeAll {
            $0.path.isEmpty && $0.text.hasPrefix("var ") && constants.contains($0.text.dropFirst(4))
        }
    }

    /// Reads a statement. Returns `false` if it continues on the next line.
    private mutating func read(_ text: String) throws -> Bool {
        if text == "}" {
            guard scopes.count > 1 else { throw FormError(description: "the interface of \(module) has a } too many") }
            scopes.removeLast()
            return true
        }
        let statement = Statement(unqualified(text))
        if statement.isEmpty { return false }
        if statement.hasMembers, text.hasSuffix("{") {
            try open(statement)
            return true
        }
        guard Scanner.openBrackets(in: text) == 0 else { return false }
        if !["import", "deinit"].contains(statement.keyword) { add(statement) }
        return true
    }

    private mutating func open(_ statement: Statement) throws {
        let text = String(statement.text.dropLast(" {".count))
        let header = statement.declaration.dropFirst(statement.keyword.count + 1)
        let name = String(header.prefix { !" <:{".contains($0) })
        let isExtension = statement.keyword == "extension"
        let path = isExtension || scope.path.isEmpty ? name : "\(scope.path).\(name)"
        let parts = text.split(separator: " where ", maxSplits: 1)
        let isConformance = isExtension && parts[0].contains(" : ")
        if !isExtension || isConformance {
            declarations.append(
                Declaration(
                    path: path, constraint: "", rank: isExtension ? .conformance : .type,
                    attributes: statement.attributes, text: text))
        }
        scopes.append(
            Scope(
                path: path, constraint: isExtension && parts.count == 2 ? " where \(parts[1])" : "",
                isProtocol: statement.keyword == "protocol"))
    }

    private mutating func add(_ statement: Statement) {
        declarations.append(
            Declaration(
                path: scope.path, constraint: scope.constraint, rank: .member, attributes: statement.attributes,
                text: (scope.isProtocol ? "requirement " : "") + statement.text))
    }

    private var scope: Scope { scopes[scopes.count - 1] }

    /// Leaves out the names of the module and of Squall before the names of types.
    private func unqualified(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let range = [module, "Squall"].compactMap({ rest.firstRange(of: "\($0).") }).min(by: {
            $0.lowerBound < $1.lowerBound
        }) {
            let before = rest[..<range.lowerBound]
            result += before
            let isName = before.last.map { $0.isLetter || $0.isNumber || "._\"".contains($0) } ?? false
            if isName { result += rest[range] }
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
