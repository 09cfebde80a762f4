import Squall
import SwiftCSV

/// A car of the 1983 ASA Data Exposition. Values that are unknown for some cars are optional.
struct Car {
    let name: String
    let milesPerGallon: Double?
    let cylinders: Int
    let displacement: Double
    let horsepower: Int?
    let weight: Int
    let acceleration: Double
    let year: Int
    let origin: String

    static let tableDefinition: SQL = """
        CREATE TABLE cars(
            name TEXT NOT NULL,
            mpg REAL,
            cylinders INTEGER NOT NULL,
            displacement REAL NOT NULL,
            horsepower INTEGER,
            weight INTEGER NOT NULL,
            acceleration REAL NOT NULL,
            year INTEGER NOT NULL,
            origin TEXT NOT NULL
        )
        """

    /// Parses the cars of a CSV file.
    ///
    /// - Parameter path: The path of the file, for error messages.
    /// - Throws: ``Failure`` if the text is not a CSV file of cars.
    static func parse(_ text: String, from path: String) throws -> [Car] {
        do {
            return try NamedCSV(string: text, delimiter: .comma, loadColumns: false).rows.enumerated()
                .map { try Car(Record(fields: $1, place: "\(path), row \($0 + 1)")) }
        } catch CSVParseError.generic(let message), CSVParseError.quotation(let message) {
            throw Failure("'\(path)' is not a CSV file: \(message)", exitCode: .badInput)
        }
    }

    private init(_ record: Record) throws {
        name = try record.get("name")
        milesPerGallon = try record.get("miles per gallon")
        cylinders = try record.get("cylinders")
        displacement = try record.get("displacement (cu in)")
        horsepower = try record.get("horsepower (hp)")
        weight = try record.get("weight (lb)")
        acceleration = try record.get("acceleration (s to 60 mph)")
        year = try record.get("year")
        origin = try record.get("origin")
    }
}

extension Car {
    /// A row of the CSV file.
    private struct Record {
        let fields: [String: String]
        let place: String

        func get<Value: LosslessStringConvertible>(_ column: String) throws -> Value {
            guard let value: Value = try get(column) else { throw failure("no \(column)") }
            return value
        }

        /// `nil` for an empty field.
        func get<Value: LosslessStringConvertible>(_ column: String) throws -> Value? {
            guard let field = fields[column] else { throw failure("no column '\(column)'") }
            if field.isEmpty { return nil }
            guard let value = Value(field) else { throw failure("'\(field)' is not a value for \(column)") }
            return value
        }

        private func failure(_ message: String) -> Failure {
            Failure("\(place): \(message)", exitCode: .badInput)
        }
    }
}
