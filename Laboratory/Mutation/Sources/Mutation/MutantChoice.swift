/// Chooses mutants by a seed.
struct MutantChoice {
    private var generator: SplitMix

    init(seed: UInt64) {
        generator = SplitMix(state: seed)
    }

    /// Returns up to `count` mutants: one of a line, none inside another.
    ///
    /// Each kind has the same chance, because there are many more numbers than operators.
    mutating func choose(_ count: Int, from candidates: [Mutant]) -> [Mutant] {
        var byKind: [[Mutant]] = Mutant.Kind.allCases.map { kind in
            candidates.filter { $0.kind == kind }.shuffled(using: &generator)
        }
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

    private func overlaps(_ one: Mutant, _ other: Mutant) -> Bool {
        one.file == other.file && (one.line == other.line || one.start < other.end && other.start < one.end)
    }
}

/// A small generator of random numbers whose sequence depends on its seed only.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
