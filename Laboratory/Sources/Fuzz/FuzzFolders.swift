import Foundation
import FuzzTargets

/// The folders of a run.
struct FuzzFolders {
    /// The folder `Corpus` of the package, which is in the repository.
    let committed: URL
    /// A folder outside of the repository, for new inputs, crashes and logs.
    let scratch: URL

    init(committed: URL, scratch: URL) throws {
        self.committed = committed
        self.scratch = scratch
        for target in FuzzTarget.all {
            try FileManager.default.createDirectory(at: found(of: target), withIntermediateDirectories: true)
            try FileManager.default.createDirectory(at: corpus(of: target), withIntermediateDirectories: true)
        }
        try FileManager.default.createDirectory(at: crashes, withIntermediateDirectories: true)
    }

    var crashes: URL { scratch.appendingPathComponent("crashes") }

    /// Leaks of SQLite that are known, by the names of its functions.
    var suppressions: URL { committed.appendingPathComponent("leaks.txt") }

    func corpus(of target: FuzzTarget) -> URL { committed.appendingPathComponent(target.name) }

    /// The inputs that earlier runs found.
    func found(of target: FuzzTarget) -> URL { scratch.appendingPathComponent("found/\(target.name)") }

    func log(of target: FuzzTarget) -> URL { scratch.appendingPathComponent("\(target.name).log") }

    /// Writes the seeds of all targets into the committed corpus.
    func writeSeeds() throws {
        for target in FuzzTarget.all {
            for (name, bytes) in try target.seeds() {
                try Data(bytes).write(to: corpus(of: target).appendingPathComponent("seed-\(name)"))
            }
        }
    }
}
