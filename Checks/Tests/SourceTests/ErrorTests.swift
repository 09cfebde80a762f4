import Foundation
import Testing

/// The kinds of `SQLiteError` are those of connections, transactions and statements. What is built on them brings problems
/// of its own.
struct ErrorTests {
    private static let errors = code(Repository.files(in: "Sources/Squall/Errors", ".swift"))

    private static func code(_ files: [Repository.File]) -> String { files.map(\.code).joined(separator: "\n") }

    /// Returns the cases of an enum, each with its associated values.
    private static func cases(of name: String, in code: String) -> [String] {
        guard let start = code.range(of: #"\benum \#(name)\b[^{]*\{"#, options: .regularExpression) else { return [] }
        var depth = 1
        let body = code[start.upperBound...].prefix { character in
            if character == "{" { depth += 1 } else if character == "}" { depth -= 1 }
            return depth > 0
        }
        return body.matches(of: /\n *case ([a-z][^\n]*)/).flatMap { list in
            // Several cases may be in one line.
            list.1.matches(of: /\w+(?:\([^()]*\))?/).map { String($0.0) }
        }
    }

    /// Returns the names of the types and protocols that conform to a protocol, by their declarations, extensions and protocols
    /// that inherit from it.
    private static func conforming(to roots: Set<String>, in code: String) -> Set<String> {
        let declaration = /\b(enum|struct|class|actor|protocol|extension)\s+([\w.]+)(?:<[^{]*?>)?\s*:\s*([^{]+)\{/
        let all = code.matches(of: declaration).map { match in
            (
                isProtocol: match.1 == "protocol", name: match.2.split(separator: ".").last.map(String.init) ?? "",
                inherited: Set(match.3.matches(of: /\w+/).map { String($0.0) })
            )
        }
        var (protocols, found) = (roots, Set<String>())
        while true {
            let more = all.filter { !$0.inherited.isDisjoint(with: protocols) }
            found = Set(more.filter { !$0.isProtocol }.map(\.name))
            let count = protocols.count
            protocols.formUnion(more.filter(\.isProtocol).map(\.name))
            if protocols.count == count { return found }
        }
    }

    private static func problemsThatAreErrors(in code: String) -> Set<String> {
        conforming(to: ["SQLiteProblem"], in: code)
            .intersection(conforming(to: ["Error", "LocalizedError", "CustomNSError", "RecoverableError"], in: code))
    }

    @Test func theKindsOfErrorsAreFew() {
        let cases = Self.cases(of: "Kind", in: Self.errors)
        let types = Set(cases.flatMap { $0.matches(of: /\b[A-Z]\w+/).map { String($0.0) } })
        let nested = types.sorted().flatMap { Self.cases(of: $0, in: Self.errors) }
        #expect(cases.contains("sqlite") && cases.contains { $0.hasPrefix("problem(") } && !nested.isEmpty)
        #expect(cases.count <= 40, "put what is built on connections into a problem of its own")
        #expect(cases.count + nested.count <= 80)
    }

    @Test func theCasesAreCounted() {
        let code = """
            enum Kind: Hashable {
                // Connections
                case one
                case two(_ a: A, b: B), three
                enum Other { case other }
            }
            enum A {
                case four(Int)
                var text: String {
                    switch self {
                    case .four: ""
                    }
                }
            }
            """
        #expect(Self.cases(of: "Kind", in: code) == ["one", "two(_ a: A, b: B)", "three"])
        #expect(Self.cases(of: "A", in: code) == ["four(Int)"])
        #expect(Self.cases(of: "B", in: code) == [])
    }

    /// `catch BlobProblem.unknownRow` would compile then, and match nothing.
    @Test func noProblemIsAnError() {
        let code = Self.code(Repository.files(".swift").filter { !$0.path.hasPrefix("Checks/") })
        #expect(Self.conforming(to: ["SQLiteProblem"], in: code).count > 15)
        #expect(Self.problemsThatAreErrors(in: code) == [])
    }

    @Test(arguments: [
        "enum P: SQLiteProblem, Error {}", "enum P: SQLiteProblem { }\nextension P: LocalizedError {}",
        "struct P: Hashable {}\nextension S.P: SQLiteProblem {}\nextension S.P: Equatable, Error where T: Sendable {}",
        "protocol Q: Error {}\nenum P<T>: SQLiteProblem {}\nextension P: Q {}",
        "protocol Q: SQLiteProblem {}\nclass P: Q, Error {}",
        "extension P: @retroactive Error {}\nenum P:\n    SQLiteProblem\n{}",
    ]) func aProblemThatIsAnErrorIsFound(code: String) {
        #expect(Self.problemsThatAreErrors(in: code) == ["P"])
    }

    @Test func otherErrorsAreNotProblems() {
        let code = """
            struct E: Error {}
            enum P: SQLiteProblem {
                case a(any Error)
                func f() throws -> [Error] { [] }
            }
            """
        #expect(Self.problemsThatAreErrors(in: code) == [])
    }
}
