import LaboratorySupport

/// A fault that comes from the file system or the limits of the process, and needs no injection.
protocol Surrounding: Sendable {
    /// The name in the table of the lane.
    var name: String { get }

    /// The reason for which it cannot be tried on this machine; `nil` if it can.
    var skipReason: String? { get }

    /// Tries the fault, in a process of its own.
    ///
    /// - Parameter report: Counts a point with `nil`, and reports a violation with a sentence.
    func run(_ folder: ScratchFolder, _ report: Report) async throws
}

extension Surrounding {
    var skipReason: String? { nil }
}

/// What a process reports to the lane.
struct Report {
    /// Counts a point.
    func point() {
        writeLine("P 0")
    }

    func violation(_ text: String) {
        writeLine("V \(text.split(separator: "\n").joined(separator: " "))")
    }

    /// Reports a violation unless a condition holds.
    func check(_ condition: Bool, _ text: @autoclosure () -> String) {
        if !condition { violation(text()) }
    }
}

/// The rows without injection. A new one is added here.
let allSurroundings: [any Surrounding] = [
    FullDisk(), FileSizeLimit(), ReadOnlyFolder(), HotJournal(), DamagedLog(), ExhaustedDescriptors(), OddPaths(),
]
