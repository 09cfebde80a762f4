import Squall

/// A foreign key whose action refuses to delete some owners, or changes what refers to them.
final class ReferenceFeature: FeatureParts {
    private let reference: TableShape.Reference

    init(_ reference: TableShape.Reference) { self.reference = reference }

    func shape(_ shape: inout TableShape) { shape.require(reference) }

    func setUp(_ world: World) throws {}

    func step(_ world: World, _ dice: inout Dice) throws {
        let (model, shape) = (world.model, world.shape)
        let ids = model.authors.keys.sorted()
        let refused = ids.flatMap { [Change.deleteAuthor($0), .replaceAuthor($0)] }.filter { model.refuses($0, shape) }
        if let change = dice.element(of: refused), dice.once(in: 2) { return try refuse(change, world, &dice) }
        let allowed = ids.map { Change.deleteAuthor($0) }.filter { !model.refuses($0, shape) }
        let free = (0..<12).map { Int64($0) }.filter { model.authors[$0] == nil }
        var change = dice.element(of: allowed)
        if reference == .updateCascade, let id = dice.element(of: ids), let other = dice.element(of: free) {
            change = .moveAuthor(id, to: other)
        }
        try world.write([change ?? Change.random(model, shape, &dice)], nil, &dice)
    }

    /// Runs a change that the foreign key refuses: it leaves nothing, and the transaction goes on without it.
    private func refuse(_ change: Change, _ world: World, _ dice: inout Dice) throws {
        let (verbs, shape) = (world.verbs, world.shape)
        var new = world.model
        let id = (0...).first { new.items[$0] == nil } ?? 0
        let kept = Change.insert([ItemRow(id: id, &dice)], .record)
        kept.apply(to: &new, shape)
        world.log("try db.blocking.write { c in \(kept.swift(shape)); try? \(change.swift(shape).dropFirst(4)) }")
        try world.transaction { connection in
            try kept.run(connection, verbs, shape)
            do {
                try change.run(connection, verbs, shape)
                throw Violation(description: "a foreign key has not refused: \(change)")
            } catch ResultCode.constraintForeignKey {
            } catch ResultCode.constraintTrigger where reference == .restrict {}
        }
        try world.commit(new, by: self, .surrounded)
    }

    func check(_ connection: Connection, _ model: Model) throws {
        try require(model.hasAllAuthors, "the model has an item without its owner")
    }
}
