import Foundation
import LaboratorySupport
import Squall

/// A child process of the lane, with what its arguments name: a pair, its steps, and the folder of its files.
struct PairProcess {
    enum Kind: String {
        /// Runs the steps, and is killed.
        case steps
        /// Uses the file at the same time as the lane.
        case outsider
    }

    let kind: Kind
    let pair: Pair
    let stepCount: Int
    let seed: UInt64
    let folder: String

    init(_ kind: Kind, _ pair: Pair, stepCount: Int, seed: UInt64, folder: String) {
        (self.kind, self.pair, self.stepCount, self.seed, self.folder) = (kind, pair, stepCount, seed, folder)
    }

    /// Reads the arguments of a process; `nil` if they are not those of a child.
    init?(_ arguments: [String]) {
        guard arguments.count == 5, let kind = Kind(rawValue: arguments[0]), let stepCount = Int(arguments[2]),
            let seed = UInt64(arguments[3])
        else { return nil }
        let features = arguments[1].split(separator: ",").compactMap { Feature(rawValue: String($0)) }
        self.init(kind, Pair(features), stepCount: stepCount, seed: seed, folder: arguments[4])
    }

    var arguments: [String] {
        [kind.rawValue, pair.features.map(\.rawValue).joined(separator: ","), "\(stepCount)", "\(seed)", folder]
    }

    /// Starts the process.
    func start() throws -> ChildProcess {
        try ChildProcess(arguments, errorsIn: folder)
    }

    /// The work of the child.
    func run() throws {
        switch kind {
        case .steps: try KilledRun.runChild(self)
        case .outsider: try OutsiderProcess.runChild(self)
        }
    }
}
