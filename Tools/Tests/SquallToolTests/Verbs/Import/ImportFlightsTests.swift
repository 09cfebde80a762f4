import Foundation
import Testing

/// A file in the shape of nycflights13's `flights.csv`: whole numbers, names and times, some of them `NA`.
@Suite struct ImportFlightsTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Writes with Python's csv module what an export must write: NULL as an empty field, and no quotes that are not needed.
    private static let canonical = """
        import csv, sys
        writer = csv.writer(sys.stdout, lineterminator="\\n")
        for row in csv.reader(open(sys.argv[1], newline="")):
            writer.writerow(["" if field == "NA" else field for field in row])
        """

    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    private static func file(seed: Int, rows: Int) -> String {
        var random = SeededGenerator(seed: seed)
        var lines = ["year,month,day,dep_time,dep_delay,carrier,flight,tailnum,origin,air_time,distance,time_hour"]
        for _ in 0..<rows {
            let isCancelled = random.chance(3)
            let (month, day, hour) = (
                Int.random(in: 1...12, using: &random), Int.random(in: 1...28, using: &random),
                Int.random(in: 0...23, using: &random)
            )
            let fields = [
                "2013", "\(month)", "\(day)", isCancelled ? "NA" : "\(hour * 100)",
                isCancelled ? "NA" : "\(Int.random(in: -40...1300, using: &random))",
                random.pick(["UA", "AA", "9E", "B6"]),
                "\(Int.random(in: 1...8500, using: &random))",
                random.chance(1) ? "NA" : "N\(Int.random(in: 100...999, using: &random))UA",
                random.pick(["EWR", "LGA", "JFK"]),
                isCancelled ? "NA" : "\(Int.random(in: 20...695, using: &random)).5",
                "\(Int.random(in: 17...4983, using: &random))",
                "2013-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)T\(hour < 10 ? "0" : "")\(hour):00:00Z",
            ]
            lines.append(fields.joined(separator: ","))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test(.enabled("needs Python") { python != nil })
    func anExportIsWhatPythonWrites() async throws {
        let seed = TestSeed.list(1, of: "anExportIsWhatPythonWrites")[0]
        let path = try directory.file("flights.csv", Self.file(seed: seed, rows: 5000))
        let database = directory.path("test.db")
        try await expect(Tool.run("import", database, path, "--null", "NA"), prints: "5000 rows into flights\n")
        #expect(
            try directory.literals("SELECT group_concat(type) FROM pragma_table_info('flights')") == [
                "'INTEGER,INTEGER,INTEGER,INTEGER,INTEGER,TEXT,INTEGER,TEXT,TEXT,REAL,INTEGER,TEXT'"
            ]
        )
        let canonical = try await Tool.shell("\"$1\" -c \"$2\" \"$3\"", [Self.python ?? "", Self.canonical, path])
        let export = try await Tool.run("export", database, "flights")
        #expect(export.exitCode == 0 && export.output == canonical.output, "seed \(seed)")
        // Without the option, NA is a text like any other, and the file comes back as it is.
        try await expect(Tool.run("import", database, path, "--table", "raw"), prints: "5000 rows into raw\n")
        let raw = try await Tool.run("export", database, "raw")
        #expect(raw.output == (try String(contentsOfFile: path, encoding: .utf8)), "seed \(seed)")
    }
}
