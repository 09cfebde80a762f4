/// Chooses mutants by a seed. A change of the sources leaves the choice among the other lines as it is.
struct MutantChoice {
    let seed: UInt64

    /// Returns up to `count` mutants: one of a line, none inside another.
    ///
    /// Each kind has the same chance, because there are many more numbers than operators.
    func choose(_ count: Int, from candidates: [Mutant]) -> [Mutant] {
        let ranked = candidates.map { (rank: rank($0), mutant: $0) }.sorted { $0.rank < $1.rank }.map(\.mutant)
        var byKind: [[Mutant]] = Mutant.Kind.allCases.map { kind in ranked.filter { $0.kind == kind } }
        var chosen: [Mutant] = []
        while chosen.count < count, byKind.contains(where: { !$0.isEmpty }) {
            for index in byKind.indices where chosen.count < count {
                while let next = byKind[index].popLast() {
                    if chosen.contains(where: { overlaps($0, next) }) { continue }
                    chosen.append(next)
                    break
                }
            }
        }
        for index in chosen.indices { chosen[index].id = index + 1 }
        return chosen
    }

    /// Returns a number that depends on the seed and the text of a mutant only.
    private func rank(_ mutant: Mutant) -> UInt64 {
        var hash = Hash()
        hash.add("\(seed) \(mutant.file) \(mutant.code) \(mutant.before) \(mutant.after)".utf8)
        return hash.value
    }

    private func overlaps(_ one: Mutant, _ other: Mutant) -> Bool {
        one.file == other.file && (one.line == other.line || one.start < other.end && other.start < one.end)
    }
}
