import Squall

extension FuzzTarget {
    /// The schema of a file of strangers: described, compared, planned and migrated.
    static let schemas = FuzzTarget(
        "schemas", "schemas of strangers: described, planned, migrated", longestInput: 1024, seeds: { SchemaSeeds.all },
        run: { bytes in
            var input = FuzzInput(bytes)
            let kind = input.byte()
            let statements = kind & 1 == 0 ? SchemaGrammar.statements(&input) : SchemaSeeds.statements(input.rest())
            try StrangersFile(statements: statements, alteration: kind >> 1).check()
        })
}
