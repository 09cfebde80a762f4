import Squall
import SquallChanges

/// Prints changes, those of people before those that the database has made itself.
func printJournal(of changes: Changeset) throws {
    let all = try changes.elements
    for change in all where !change.isIndirect { print("  \(summary(of: change))") }
    for change in all where change.isIndirect { print("  automatically: \(summary(of: change))") }
}

/// Returns a line such as `products 1: price from 10 to 12`.
private func summary(of change: Changeset.Change) -> String {
    let key = change.keyColumns.compactMap { (change.old[$0] ?? change.new[$0])?.text }.joined(separator: ", ")
    let details =
        switch change.operation {
        case .insert: "new, \(list(change.new))"
        case .update: differences(from: change.old, to: change.new)
        case .delete: "deleted, \(list(change.old))"
        }
    return "\(change.table) \(key): \(details)"
}

private func list(_ values: ChangedValues) -> String {
    values.columnNames.map { "\($0) \(values[$0]?.text ?? "?")" }.joined(separator: ", ")
}

/// Lists the columns that an update has changed. The others have no value in it.
private func differences(from old: ChangedValues, to new: ChangedValues) -> String {
    new.columnNames.compactMap { column in
        guard let value = new[column] else { return nil }
        return "\(column) from \(old[column]?.text ?? "?") to \(value.text)"
    }.joined(separator: ", ")
}

extension BindingValue {
    fileprivate var text: String {
        switch self {
        case .integer(let number): "\(number)"
        case .text(let text): text
        case .null: "nothing"
        default: "…"
        }
    }
}
