import ArgumentParser
import Foundation
import Rainbow
import Squall

struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Loads 406 cars from a CSV file into a database, and answers three questions about them."
    )

    @Option(help: ArgumentHelp("The CSV file.", valueName: "path"))
    var data = "Examples/Data/cars.csv"

    @Option(help: ArgumentHelp("The file for the database; without it, the database is temporary.", valueName: "path"))
    var database: String?

    func validate() throws {
        // SQLite treats an empty name as a temporary database.
        if database == "" { throw ValidationError("The name of the database is empty.") }
    }

    func run() throws {
        let hint = "run the demo in the folder of Squall's Examples, or name the file with --data"
        let cars = try Car.parse(InputFile.text(at: data, hint: hint), from: data)
        let connection = try openDatabase()
        try load(cars, into: connection)
        let output = Output()
        try output.write("\(cars.count) cars from \(data), in \(database ?? "a temporary database")\n")
        try answerTypedRows(connection, output)
        try answerAggregate(connection, output)
        try answerNull(connection, output)
        try output.flush()
    }

    private func openDatabase() throws -> Connection {
        guard let database else { return try Connection(storageLocation: .temporary) }
        do {
            return try Connection(database, mode: .createNew)
        } catch let error as SQLiteError where error.resultCode == .cantOpen {
            throw Failure(error, exitCode: .cannotCreate)
        }
    }

    private func load(_ cars: [Car], into connection: Connection) throws {
        try connection.transaction(transactionType: .immediate) {
            try connection.execute(Car.tableDefinition)
            let insert = try connection.prepare("INSERT INTO cars VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)")
            for car in cars {
                try insert.bind(
                    car.name, car.milesPerGallon, car.cylinders, car.displacement, car.horsepower, car.weight,
                    car.acceleration, car.year, car.origin
                ).run()
            }
        }
    }
}

// MARK: - The questions

extension Demo {
    /// A row of the first question's answer.
    private struct ThriftyCar: ExpressibleByRow {
        let name: String
        let year: Int
        let milesPerGallon: Double

        init(row: Row) throws {
            name = try row.get("name")
            year = try row.get("year")
            milesPerGallon = try row.get("mpg")
        }
    }

    private func answerTypedRows(_ connection: Connection, _ output: Output) throws {
        let origin = "Japan"
        let count = 5
        let sql: SQL = """
            SELECT name, year, mpg
            FROM cars
            WHERE origin = \(origin) AND mpg IS NOT NULL
            ORDER BY mpg DESC, name
            LIMIT \(count)
            """
        let cars: [ThriftyCar] = try connection.query(sql)
        let rows = cars.map { [Cell.text($0.name), .integer(Int64($0.year)), .real($0.milesPerGallon)] }
        try show("Which Japanese cars go farthest on a gallon?", sql, ["name", "year", "mpg"], rows, output)
    }

    private func answerAggregate(_ connection: Connection, _ output: Output) throws {
        let cylinders = 4
        let sql: SQL = """
            SELECT origin, count(*) AS cars, round(avg(mpg), 1) AS "average mpg", round(avg(weight)) AS "average weight"
            FROM cars
            WHERE cylinders = \(cylinders)
            GROUP BY origin
            ORDER BY avg(mpg) DESC
            """
        let statement = try connection.prepare(sql)
        let rows = try statement.query { $0.cells } as [[Cell]]
        try show("How do four-cylinder cars compare, by origin?", sql, statement.columnNames, rows, output)
    }

    private func answerNull(_ connection: Connection, _ output: Output) throws {
        let unknown: Int? = nil
        let sql: SQL = """
            SELECT name, year, mpg, horsepower
            FROM cars
            WHERE mpg IS \(unknown) OR horsepower IS \(unknown)
            ORDER BY year, name
            """
        let statement = try connection.prepare(sql)
        let rows = try statement.query { $0.cells } as [[Cell]]
        try show("Of which cars is the mileage or the horsepower unknown?", sql, statement.columnNames, rows, output)
    }

    private func show(
        _ question: String, _ sql: SQL, _ columns: [String], _ rows: [[Cell]], _ output: Output
    ) throws {
        let lines = sql.text.split(separator: "\n").map { "  \($0)\n" }.joined()
        let values = sql.parameters.map(\.literal).joined(separator: ", ")
        try output.write("\n\(question.bold)\n\n\(lines)\("  -- bound: \(values)".dim)\n\n")
        var table = TableFormat(columns: columns, output: output)
        for row in rows { table.write(row) }
        try table.finish()
    }
}

extension BindingValue {
    /// The value as an SQL literal.
    fileprivate var literal: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .real(let value): value.notation
        case .text(let value): value.textLiteral
        case .blob(let bytes): bytes.blobLiteral
        case .malformedText(let bytes): "CAST(\(bytes.blobLiteral) AS TEXT)"
        }
    }
}
