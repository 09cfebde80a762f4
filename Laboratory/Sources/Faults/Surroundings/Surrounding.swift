import LaboratorySupport

/// A fault that comes from the file system or the limits of the process, and needs no injection.
protocol Surrounding: Sendable {
    /// The name in the table of the lane.
    var name: String { get }

    /// Whether it mounts file systems. Its process then has mounts of its own, which end with it.
    var mountsFolders: Bool { get }

    /// Tries the fault, in a process of its own.
    ///
    /// - Parameters:
    ///   - folder: A folder that is empty, and removed by the lane.
    ///   - report: Counts the points, and reports violations.
    func run(_ folder: ScratchFolder, _ report: Report) async throws
}

extension Surrounding {
    var mountsFolders: Bool { false }

    /// The reason for which it cannot be tried on this machine; `nil` if it can.
    var skipReason: String? { mountsFolders ? Mount.obstacle : nil }
}

/// The rows without injection. A new one is added here.
let allSurroundings: [any Surrounding] = [
    FullDisk(), FileSizeLimit(), ReadOnlyFolder(), HotJournal(), DamagedLog(), ExhaustedDescriptors(), OddPaths(),
]
