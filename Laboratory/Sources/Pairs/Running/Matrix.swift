import LaboratorySupport

/// The outcomes of all pairs, as a table and a list of reasons.
struct Matrix {
    private var outcomes: [String: Pair.Outcome] = [:]
    private var pairs: [Pair] = []

    mutating func add(_ pair: Pair, _ outcome: Pair.Outcome) {
        pairs.append(pair)
        outcomes[pair.name] = outcome
    }

    /// Prints a line for each feature with a sign for each other one from it on, the refusals and the numbers.
    func write() {
        let features = Feature.allCases
        for (index, first) in features.enumerated() {
            let signs = features[index...].map { outcomes[Pair(first, $0).name]?.sign ?? " " }
            if signs.allSatisfy({ $0 == " " }) { continue }
            writeLine("\(first)".padding(to: 20) + String(repeating: " ", count: index) + signs.joined())
        }
        var refusals: [String: [String]] = [:]
        for pair in pairs {
            if case .refused(let reason)? = outcomes[pair.name] { refusals[reason, default: []].append(pair.name) }
        }
        for (reason, names) in refusals.sorted(by: { $0.key < $1.key }) {
            writeLine("refused with \(reason): \(names.joined(separator: ", "))")
        }
        let counts = Dictionary(outcomes.values.map { ($0.sign, 1) }, uniquingKeysWith: +)
        writeLine(
            "\(counts["+", default: 0]) held (+), \(counts["r", default: 0]) refused (r), \(counts["X", default: 0]) broken (X), "
                + "\(counts["·", default: 0]) that one table cannot have (·)")
    }
}

extension Pair.Outcome {
    var sign: String {
        switch self {
        case .held: "+"
        case .refused: "r"
        case .impossible: "·"
        case .broken: "X"
        }
    }

    var stepCount: Int {
        switch self {
        case .held(let steps): steps
        case .refused, .impossible: 0
        case .broken(let failure): failure.steps.count
        }
    }

    /// The failure, with the path of the Swift that repeats it.
    func violation(of pair: Pair) -> String? {
        guard case .broken(let failure) = self else { return nil }
        let file = failure.script.map { "\n        \($0)" } ?? ""
        return "\(pair.name), \(failure.steps.count) steps: \(failure.text)\(file)"
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
