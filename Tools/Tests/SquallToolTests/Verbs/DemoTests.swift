import Foundation
import Squall
import SwiftCSV
import Testing

@Suite struct DemoTests {
    /// The repository, where `make demo` runs.
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func threeQuestionsAreAnswered() async throws {
        try await expect(Tool.run("demo", in: Self.repository), prints: Self.answers)
    }

    @Test func theDatabaseCanBeKept() async throws {
        let path = directory.path("cars.db")
        let outcome = try await Tool.run("demo", "--database", path, in: Self.repository)
        expect(outcome, prints: Self.answers.replacing("a temporary database", with: path))

        let connection = try Connection(path, mode: .readOnly)
        let types: [[String]] = try connection.query(
            """
            SELECT DISTINCT typeof(name), typeof(mpg), typeof(cylinders), typeof(displacement), typeof(horsepower),
                typeof(weight), typeof(acceleration), typeof(year), typeof(origin)
            FROM cars ORDER BY typeof(mpg), typeof(horsepower)
            """
        ) { row in try (0..<row.columnCount).map { try row.get($0) } }
        #expect(
            types == [
                ["text", "null", "integer", "real", "integer", "integer", "real", "integer", "text"],
                ["text", "real", "integer", "real", "integer", "integer", "real", "integer", "text"],
                ["text", "real", "integer", "real", "null", "integer", "real", "integer", "text"],
            ]
        )
    }

    @Test func allValuesOfTheFileAreLoaded() async throws {
        let path = directory.path("cars.db")
        #expect(try await Tool.run("demo", "--database", path, in: Self.repository).exitCode == 0)
        let file = Self.repository.appendingPathComponent("Examples/Data/cars.csv")
        let csv = try EnumeratedCSV(url: file, delimiter: .comma, loadColumns: false)
        #expect(csv.rows.count == 406)
        // As the file has them: whole numbers without a fraction, and nothing for NULL.
        let connection = try Connection(path, mode: .readOnly)
        let rows: [[String]] = try connection.query("SELECT * FROM cars ORDER BY rowid") { row in
            row.values.map { value in
                switch value {
                case let number as Double where number == number.rounded(): "\(Int(number))"
                case let value?: "\(value)"
                case nil: ""
                }
            }
        }
        #expect(rows == csv.rows)
    }

    @Test func aDatabaseThatIsThereIsNotTouched() async throws {
        let path = try directory.database("CREATE TABLE t(a)")
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        try await expect(
            Tool.run("demo", "--database", path, in: Self.repository),
            fails: "error: there is already a file at \(path) (SQLITE_CANTOPEN)\n", exitCode: 73
        )
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func aDatabaseThatCannotBeMadeIsAnError() async throws {
        let path = directory.path("none/cars.db")
        let outcome = try await Tool.run("demo", "--database", path, in: Self.repository)
        #expect(outcome.output == "" && outcome.exitCode == 73)
        #expect(outcome.error.hasPrefix("error: unable to make a database file: \(path) (SQLITE_CANTOPEN)\n"))
    }

    @Test func aMissingFileIsAnErrorWithAHint() async throws {
        try await expect(
            Tool.run("demo", in: directory.url),
            fails: """
                error: cannot open 'Examples/Data/cars.csv': No such file or directory
                hint: run the demo in the folder of Squall's Examples, or name the file with --data

                """,
            exitCode: 66
        )
        try await expect(
            Tool.run("demo", "--data", directory.url.path), fails: "error: '\(directory.url.path)' is a directory\n",
            exitCode: 65
        )
    }

    private static let header =
        "name,miles per gallon,cylinders,displacement (cu in),horsepower (hp),weight (lb),"
        + "acceleration (s to 60 mph),year,origin\n"

    @Test(arguments: [
        ("name,year\nsaab,1970\n", ", row 1: no column 'miles per gallon'"),
        (
            header + "saab 99e,25,4,104,95,2375,17.5,1970,Europe\nbmw 2002,26,four,121,,2234,12.5,1970,Europe\n",
            ", row 2: 'four' is not a value for cylinders"
        ),
        (header + ",26,4,121,,2234,12.5,1970,Europe\n", ", row 1: no name"),
    ])
    func aFileWithOtherContentsIsBadInput(contents: String, complaint: String) async throws {
        let data = try directory.file("cars.csv", contents)
        let database = directory.path("cars.db")
        try await expect(
            Tool.run("demo", "--data", data, "--database", database), fails: "error: \(data)\(complaint)\n",
            exitCode: 65
        )
        #expect(try directory.files() == ["cars.csv"])
    }

    @Test func aFileThatIsNoCSVIsBadInput() async throws {
        let path = try directory.file("cars.csv", Self.header + "\"saab\" 99e,25")
        try await expect(
            Tool.run("demo", "--data", path),
            fails: "error: '\(path)' is not a CSV file: Can't have non-quote here: 9\n", exitCode: 65
        )
    }

    @Test func aFileThatIsNoTextIsBadInput() async throws {
        let path = directory.path("cars.csv")
        try Data([0x61, 0xFF]).write(to: URL(fileURLWithPath: path))
        try await expect(
            Tool.run("demo", "--data", path),
            fails: """
                error: '\(path)' is not valid UTF-8
                hint: convert the file, for instance with iconv -f ISO-8859-1 -t UTF-8

                """, exitCode: 65)
    }

    private static let answers = """
        406 cars from Examples/Data/cars.csv, in a temporary database

        Which Japanese cars go farthest on a gallon?

          SELECT name, year, mpg
          FROM cars
          WHERE origin = ? AND mpg IS NOT NULL
          ORDER BY mpg DESC, name
          LIMIT ?
          -- bound: 'Japan', 5

         name                │ year │  mpg
        ─────────────────────┼──────┼──────
         mazda glc           │ 1980 │ 46.6
         honda civic 1500 gl │ 1980 │ 44.6
         datsun 210          │ 1980 │ 40.8
         datsun b210 gx      │ 1978 │ 39.4
         toyota starlet      │ 1982 │ 39.1
        5 rows

        How do four-cylinder cars compare, by origin?

          SELECT origin, count(*) AS cars, round(avg(mpg), 1) AS "average mpg", round(avg(weight)) AS "average weight"
          FROM cars
          WHERE cylinders = ?
          GROUP BY origin
          ORDER BY avg(mpg) DESC
          -- bound: 4

         origin │ cars │ average mpg │ average weight
        ────────┼──────┼─────────────┼────────────────
         Japan  │   69 │        31.6 │         2153.0
         Europe │   66 │        28.4 │         2343.0
         USA    │   72 │        27.8 │         2437.0
        3 rows

        Of which cars is the mileage or the horsepower unknown?

          SELECT name, year, mpg, horsepower
          FROM cars
          WHERE mpg IS ? OR horsepower IS ?
          ORDER BY year, name
          -- bound: NULL, NULL

         name                             │ year │  mpg │ horsepower
        ──────────────────────────────────┼──────┼──────┼────────────
         amc rebel sst (sw)               │ 1970 │ NULL │        175
         chevrolet chevelle concours (sw) │ 1970 │ NULL │        165
         citroen ds-21 pallas             │ 1970 │ NULL │        115
         ford mustang boss 302            │ 1970 │ NULL │        140
         ford torino (sw)                 │ 1970 │ NULL │        153
         plymouth satellite (sw)          │ 1970 │ NULL │        175
         ford pinto                       │ 1971 │ 25.0 │       NULL
         volkswagen super beetle 117      │ 1971 │ NULL │         48
         ford maverick                    │ 1974 │ 21.0 │       NULL
         ford mustang cobra               │ 1980 │ 23.6 │       NULL
         renault lecar deluxe             │ 1980 │ 40.9 │       NULL
         amc concord dl                   │ 1982 │ 23.0 │       NULL
         renault 18i                      │ 1982 │ 34.5 │       NULL
         saab 900s                        │ 1982 │ NULL │        110
        14 rows

        """
}
