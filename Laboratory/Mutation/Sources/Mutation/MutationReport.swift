/// The table of a run: for each folder of the library, the mutants and how many the tests noticed.
struct MutationReport {
    private let mutants: [Mutant]
    private let survivors: [Mutant]
    private let explanations: Explanations

    init(_ run: MutationRun, _ explanations: Explanations) {
        mutants = run.mutants
        survivors = run.mutants.filter { run.state.outcomes[$0.id]?.isEmpty ?? true }
        self.explanations = explanations
    }

    /// Prints the table.
    ///
    /// - Returns: Whether the tests noticed at least 90 of 100, those that are explained aside.
    func printed() -> Bool {
        let unexplained = survivors.filter { explanations.reason($0) == nil }
        print("\n| Folder | Mutants | Noticed | Explained | Survived |\n|---|---|---|---|---|")
        for (folder, all) in Dictionary(grouping: mutants, by: \.folder).sorted(by: { $0.key < $1.key }) {
            let survived = survivors.count { $0.folder == folder }
            let open = unexplained.count { $0.folder == folder }
            print("| \(folder) | \(all.count) | \(all.count - survived) | \(survived - open) | \(open) |")
        }
        for mutant in survivors {
            print("\(mutant.description)\n    \(explanations.reason(mutant) ?? "NOT EXPLAINED")")
        }
        let noticed = mutants.count - survivors.count
        print(
            "mutation: \(mutants.count) mutants, \(noticed) noticed, \(survivors.count - unexplained.count) explained")
        return !mutants.isEmpty && unexplained.count * 10 <= mutants.count
    }
}
