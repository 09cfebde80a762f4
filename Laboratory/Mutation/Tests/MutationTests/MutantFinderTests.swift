import Testing

@testable import Mutation

struct MutantFinderTests {
    private func changes(_ source: String) -> [String] {
        MutantFinder.mutants(in: source, file: "A/B.swift").map { "\($0.before) -> \($0.after)" }
    }

    @Test func operatorsAreFoldedByTheirPrecedence() {
        #expect(
            changes("let a = b + 1 < c && d") == [
                "b + 1 < c && d -> b + 1 < c || d", "b + 1 < c -> b + 1 <= c", "b + 1 -> b - 1", "1 -> 2",
            ])
    }

    @Test func conditionsLiteralsAndStatements() {
        let source = "func f() { if isOpen { close(); count += 1; return }; g(); h(true) }"
        #expect(changes(source).contains("isOpen -> !(isOpen)"))
        #expect(changes(source).contains("close() -> "))
        #expect(changes(source).contains("count += 1 -> "))
        #expect(changes(source).contains("true -> false"))
    }

    @Test func patternsAttributesAndTextsAreLeftOut() {
        #expect(changes("@available(macOS 26, *) enum A: Int { case b = 3 }").isEmpty)
        #expect(changes("switch a { case 1: break; default: break }").isEmpty)
        #expect(changes(#"let a = "\(b == c)""#).isEmpty)
    }

    @Test func theChoiceDependsOnTheSeedAndDoesNotNest() {
        let candidates = MutantFinder.mutants(
            in: "let a = b == c && d == e\nlet f = g < 1\nlet h = true", file: "A/B.swift")
        let chosen = MutantChoice(seed: 7).choose(10, from: candidates)
        #expect(chosen.map(\.description) == MutantChoice(seed: 7).choose(10, from: candidates).map(\.description))
        #expect(Set(chosen.map(\.line)).count == chosen.count)
        #expect(chosen.map(\.id) == Array(1...chosen.count))
    }

    @Test func anotherLineLeavesTheChoiceAmongTheOthers() {
        func chosen(_ numbers: ClosedRange<Int>, seed: UInt64 = 3) -> [String] {
            let source = numbers.map { "let a\($0) = b < c\($0)" }.joined(separator: "\n")
            let candidates = MutantFinder.mutants(in: source, file: "A/B.swift")
            return MutantChoice(seed: seed).choose(20, from: candidates).map(\.code)
        }
        let all = chosen(1...200)
        #expect(all.count == 20)
        #expect(Set(all).subtracting(chosen(2...200)).count <= 1)
        #expect(chosen(1...200, seed: 4) != all)
    }

    @Test func anExplanationIsOfOneLineOfCode() {
        let mutants = MutantFinder.mutants(in: "f(true)\ng(true)\nh(); i()", file: "A/B.swift")
        let explanations = Explanations(
            """
            # A comment
            A/B.swift | g(true) | true | false | A reason.
            A/B.swift | h(); i() | h() |  | Another | reason.
            """)
        let explained = mutants.compactMap { mutant in
            explanations.reason(mutant).map { "\(mutant.line) \(mutant.before): \($0)" }
        }
        #expect(explained == ["2 true: A reason.", "3 h(): Another | reason."])
    }
}
