import Squall

extension World {
    /// Writes the first rows, and sets both features up.
    ///
    /// - Returns: The error with which the library refuses the pair; `nil` if it does not.
    func setUp() throws -> String? {
        try populate()
        for part in parts {
            let schema = try schema()
            do {
                try part.setUp(self)
            } catch let error as SQLiteError {
                try require(self.schema() == schema, "a feature was refused after it was written: \(error)")
                try database.blocking.read { try self.checkRows($0, "a refused feature") }
                return Refusals.reason(error)
            }
        }
        for part in parts {
            do {
                try part.start(self)
            } catch let error as SQLiteError where Refusals.isTyped(error) {
                return Refusals.reason(error)
            }
        }
        try readTraces()
        try check()
        return nil
    }

    private func schema() throws -> [String] {
        try database.blocking.read { try $0.query("SELECT name || ifnull(sql, '') FROM sqlite_schema ORDER BY name") }
    }

    /// Whether a transaction that ends with these rows can be committed.
    func allows(_ model: Model) -> Bool { shape.reference != .deferred || model.hasAllAuthors }

    func run(_ step: Pair.Step) throws {
        var dice = Dice(seed: step.seed)
        switch step.actor {
        case .reopening: try reopen()
        case .feature(let index): try parts[index].step(self, &dice)
        case .common:
            var (draft, changes) = (model, [Change]())
            for _ in 0...dice.number(below: 4) {
                let change = Change.random(draft, shape, &dice)
                change.apply(to: &draft, shape)
                changes.append(change)
            }
            let fault: Fault? = dice.once(in: 10) ? (dice.once(in: 2) ? .error : .cancellation(Cancellation())) : nil
            try write(changes, fault, &dice)
        }
    }
}
