import Foundation
import Squall
import SquallChanges

/// A branch, which takes over the changes of the office, and may change prices itself.
struct Branch {
    let name: String
    let connection: Connection
    /// Whether a price that was changed here ends the whole update.
    let isStrict: Bool

    init(_ name: String, isStrict: Bool = false) throws {
        self.name = name
        self.isStrict = isStrict
        connection = try Connection("\(name).db")
        try connection.execute(Office.schema)
    }

    /// The triggers do not run: what they wrote at the office is among the changes.
    private let options: Changeset.ApplyOptions = .withoutTriggers

    /// Applies changes, and keeps the answers to conflicts for the next report to the office.
    func receive(_ changes: Changeset) throws {
        let resolutions = try connection.apply(changes, options: options, answer)
        if !resolutions.isEmpty { try store(resolutions) }
    }

    private func answer(to conflict: Changeset.Conflict) -> Changeset.Answer {
        print("  \(name): \(conflict.change?.description ?? "a foreign key"): \(conflict.kind)")
        return switch conflict.kind {
        case .data: isStrict ? .abort : .replace
        // A product that the branch does not have, and a counter that it has.
        default: .omit
        }
    }

    private var answers: URL { URL(filePath: "\(name).answers") }

    private func store(_ resolutions: Resolutions) throws {
        try JSONEncoder().encode(resolutions).write(to: answers)
    }

    /// Returns the changes of the branch as they fit the rows of the office, which has applied its own before.
    func report(_ own: Changeset) throws -> Changeset {
        let resolutions = try JSONDecoder().decode(Resolutions.self, from: Data(contentsOf: answers))
        return try Rebaser(resolutions).rebased(own)
    }

    func receive(file path: String) throws {
        let changes = Changeset(try Data(contentsOf: URL(filePath: path)))
        // Only a list of new values may replace what is here, without a look at the old ones.
        guard changes.isPatchset else { return print("  \(name): \(path) is not a list of new prices") }
        try receive(changes)
    }

    /// Takes changes back that were applied here, by their inverse.
    func takeBack(_ inverse: Changeset) throws {
        try connection.apply(inverse, options: options)
    }

    func printPrices() throws {
        let prices: [String] = try connection.query("SELECT name || ' ' || price FROM products ORDER BY id")
        print("  \(name): \(prices.joined(separator: ", "))")
    }
}
