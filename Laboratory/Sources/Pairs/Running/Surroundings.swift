import Foundation

/// The conditions under which the steps of a pair run, beside the steps themselves.
struct Surroundings: Equatable, Sendable {
    enum Processes: String {
        /// The steps run in the process of the lane.
        case one
        /// The steps run in a process that is killed.
        case killed
        /// Another process uses the file at the same time.
        case outsider
    }

    var processes = Processes.one
    /// Whether the tool `squall` inspects the file at the end.
    var isInspected = false
    /// Whether the Swift of a run that holds is written too.
    var writesSwift = false

    /// Draws the surroundings of a run: one in ten is killed, one has another process, and one is inspected.
    init(_ dice: inout Dice) {
        switch dice.number(below: 10) {
        case 0: processes = .killed
        case 1: processes = .outsider
        default: processes = .one
        }
        isInspected = dice.once(in: 10)
    }

    /// The surroundings of a short run, which has no other process, or those that `WITH` names: `killed`, `outsider`, `tool`, `swift`.
    init(_ name: String? = nil) {
        processes = name.flatMap { Processes(rawValue: $0) } ?? .one
        isInspected = name == "tool"
        writesSwift = name == "swift"
    }
}
