#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Squall

/// An error of a step that cannot be undone or redone, because rows that it has changed were changed by others since.
///
///     do {
///         try history.undo()
///     } catch let error as UndoConflictError {
///         for conflict in error.conflicts { print(conflict.kind) }
///     }
///
/// Nothing of the step was undone or redone, and it is still the next one.
public struct UndoConflictError: Error, Sendable {
    /// The name of the step.
    public let name: String?
    /// The changes that do not fit. Each is the change that undoing or redoing the step would have made. A change that violates a
    /// foreign key has the kind ``Changeset/Conflict/Kind/foreignKey``.
    public let conflicts: [Changeset.Conflict]
}

extension UndoConflictError: CustomStringConvertible, LocalizedError {
    public var description: String {
        let changes = conflicts.map { "\($0.kind) in \($0.change?.description ?? "a foreign key")" }
        return message + ": " + changes.joined(separator: "; ")
    }

    /// The message, to be shown to users; `description` has the changes.
    public var errorDescription: String? { message }

    private var message: String {
        let step = name.map { "\"\($0)\"" } ?? "the step"
        return "\(step) conflicts with later changes of the same rows"
    }
}
