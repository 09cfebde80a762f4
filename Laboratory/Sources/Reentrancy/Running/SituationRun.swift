import LaboratorySupport

/// Runs the cells of a situation in child processes.
struct SituationRun {
    let situation: Situation
    let options: LaneOptions
    let folder: String
    /// The time without a line after which a child is in a deadlock.
    static let patience = 30

    /// Returns the number of cells whose call was made, and the violations.
    func run() throws -> (points: Int, violations: [String]) {
        let cells = Cell.all(in: situation)
        let step = options.isShort ? Self.shortStride : 1
        var next = Int(options.seed % UInt64(step))
        var count = 0
        var violations: [String] = []
        while next < cells.count {
            let child = try ChildProcess(["cells", situation.name, "\(next)", "\(step)", folder], errorsIn: folder)
            var running: Int?
            var isDone = false
            let end = child.readLines(timeout: Self.patience) { line in
                let words = line.split(separator: " ", maxSplits: 2)
                switch words.first {
                case "begin": running = words.dropFirst().first.flatMap { Int($0) }
                case "end":
                    if words.last == "called" { count += 1 }
                    next = (running ?? next) + step
                    running = nil
                case "violation":
                    let number = words.dropFirst().first.flatMap { Int($0) } ?? 0
                    violations.append("\(cells[number].description): \(words.last ?? "")")
                case "done": isDone = true
                default: break
                }
            }
            if isDone {
                if end != .exited(0) { violations.append("after the last cell: \(Self.sentence(end))") }
                break
            }
            guard let running else {
                violations.append("the process of the cells ended between two of them: \(Self.sentence(end))")
                break
            }
            count += 1
            violations.append("\(cells[running].description): \(Self.sentence(end))")
            next = running + step
        }
        return (count, violations)
    }

    /// The short form runs each n-th cell.
    static let shortStride = 31

    private static func sentence(_ end: ChildProcess.End) -> String {
        switch end {
        case .exited(let status): "the process exited with \(status)"
        case .signalled(let signal, let message): "the process ended by signal \(signal): \(message)"
        case .silent(let seconds): "no end within \(seconds) s: a deadlock"
        }
    }
}
