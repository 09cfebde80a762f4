import Foundation

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

    private static func run(_ options: Options) throws {
        if case .list = options.task {
            for row in Benchmark.all { print(row.name, row.isVariant ? "(variant)" : "") }
            return
        }
        let fixtures = try Fixtures(folder: options.folder)
        defer { fixtures.remove() }
        switch options.task {
        case .list: break
        case .profile(let row, let side, let iterations):
            try Options.row(row).profile(side, iterations: iterations, fixtures)
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
        }
    }
}
