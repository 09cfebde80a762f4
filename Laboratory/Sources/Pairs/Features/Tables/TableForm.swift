import Squall

/// A feature that is a form of the common tables. Its steps are those that every pair has.
final class TableForm: FeatureParts {
    private let form: (inout TableShape) -> Void
    private let settings: (inout WorldSettings) -> Void
    private let statements: [String]
    private let change: (Model, inout Dice) -> Change?
    private let outsideChange: (Change, Model) -> Change?
    private let oracle: (Connection, Model) throws -> Void

    /// - Parameters:
    ///   - change: Draws the change of a step; `nil` for any change.
    ///   - outsideChange: Returns the change that another connection makes after a step; `nil` for none.
    ///   - statements: Statements for the common tables, such as those that create an index.
    ///   - oracle: Checks what the form promises.
    init(
        _ form: @escaping (inout TableShape) -> Void = { _ in },
        settings: @escaping (inout WorldSettings) -> Void = { _ in },
        change: @escaping (Model, inout Dice) -> Change? = { _, _ in nil },
        outsideChange: @escaping (Change, Model) -> Change? = { _, _ in nil }, statements: [String] = [],
        oracle: @escaping (Connection, Model) throws -> Void = { _, _ in }
    ) {
        (self.form, self.settings, self.statements) = (form, settings, statements)
        (self.change, self.outsideChange, self.oracle) = (change, outsideChange, oracle)
    }

    func shape(_ shape: inout TableShape) { form(&shape) }
    func configure(_ settings: inout WorldSettings) { self.settings(&settings) }

    func setUp(_ world: World) throws {
        for statement in statements {
            world.log("try db.blocking.writeWithoutTransaction { try $0.execute(#\"\(statement)\"#) }")
            try world.database.blocking.writeWithoutTransaction { try $0.execute("\(raw: statement)") }
        }
    }

    func step(_ world: World, _ dice: inout Dice) throws {
        let change = change(world.model, &dice) ?? Change.random(world.model, world.shape, &dice)
        try world.write([change], nil, &dice)
        if let change = outsideChange(change, world.model) { try world.writeOutside(change, by: self) }
    }

    func check(_ connection: Connection, _ model: Model) throws { try oracle(connection, model) }
}

extension TableForm {
    /// Requires that a query of a count finds nothing.
    static func none(_ query: String) -> (Connection, Model) throws -> Void {
        { connection, _ in
            let count: Int = try connection.query("\(raw: query)")
            try require(count == 0, "\(query): \(count)")
        }
    }
}
