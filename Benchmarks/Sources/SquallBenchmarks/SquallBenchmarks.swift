import Foundation
import Squall

@main
enum SquallBenchmarks {
    static func main() {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            try run(options)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    /// Measures the rows of several threads again in a process in which SQLite does not count its memory.
    private static func measureWithoutMemoryStatistics(
        _ rows: [Benchmark], _ options: Options, _ fixtures: Fixtures
    ) throws {
        let names = rows.map(\.name).filter { $0.contains("readers") }
        guard !names.isEmpty else { return }
        print("without memory statistics:")
        fflush(nil)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [
            "--without-memory-statistics", "--rows", names.joined(separator: ","), "--rounds", "\(options.rounds)",
            "--clock", options.clock.rawValue, "--files", fixtures.folder.path,
        ]
        try process.run()
        process.waitUntilExit()
    }

    private static func run(_ options: Options) throws {
        if case .list = options.task {
            for row in Benchmark.all { print(row.name, row.isVariant ? "(variant)" : "") }
            return
        }
        if case .startUp(let opened, let side, let path) = options.task { return try opened.answer(side, path) }
        Scale.divisor = options.scale
        if !options.countsMemory { try SQLiteLibrary.configure(.withoutMemoryStatistics) }
        let fixtures = try Fixtures(folder: options.folder)
        defer { fixtures.remove() }
        switch options.task {
        case .list, .startUp: break
        case .profile(let row, let side, let iterations):
            print(try Options.row(row).profile(side, iterations: iterations, fixtures))
        case .instructions(let path):
            try Instructions.run(options.rows, comparedWith: path, isRecording: options.isRecording, fixtures)
        case .published(let path):
            var published = try Published(path)
            try published.measure(rounds: options.rounds, isRecording: options.isRecording, fixtures)
        case .write(let path, let pause): try ForeignWriter.run(path, pause: pause)
        case .hammer(let seconds): try Hammer.run(seconds: seconds, holdsReads: options.holdsReads, fixtures)
        case .growth(let folder): try Growth.run(options.rows, rounds: options.rounds, into: folder, fixtures)
        case .memory(let side):
            print(try StreamingMemory.measure(side, fixtures))
        case .measure:
            let rows = try options.selection()
            let report = Report()
            report.printHead()
            for row in rows {
                report.print(try row.measure(fixtures, rounds: options.rounds, clock: options.clock))
            }
            if rows.contains(where: { $0.name == StreamingMemory.row }) { try StreamingMemory.report(fixtures) }
            try AccessReport.report(rows, fixtures)
            try ObservationReport.report(rows, fixtures)
            if options.countsMemory { try measureWithoutMemoryStatistics(rows, options, fixtures) }
        }
    }
}
