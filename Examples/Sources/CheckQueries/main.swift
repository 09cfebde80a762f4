// Checks the SQL files of a program, as the plugin and `squall sql` do: `swift run CheckQueries`.

import ExampleSupport
import Foundation
import Squall
import SquallSQLFiles

func write(_ text: String, to path: String) throws {
    let file = URL(filePath: path)
    try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
}

runExample {
    // The files may be those of strangers: nothing of them can use more memory.
    try CheckedFiles.limitMemory()
    try write(
        """
        CREATE TABLE cars(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, price INTEGER, colour TEXT);
        CREATE INDEX cars_price ON cars(price);
        CREATE INDEX cars_colour ON cars(colour);
        CREATE UNIQUE INDEX cars_name_price ON cars(name, price);
        """, to: "SQL/schema/001_cars.sql")
    try write(
        """
        -- name: cheapCars
        SELECT name FROM cars WHERE prize < :limit;
        """, to: "SQL/cars.sql")
    try write("-- name: car :optional\nSELECT name FROM cars WHERE id = :id;\n", to: "SQL/keys.sql")
    let folder = QueryFolder("SQL", output: "Generated")

    print("A query with an error:")
    print("  written: \(try folder.update())")

    print("Without the error:")
    try write(
        """
        -- name: cheapCars
        SELECT name FROM cars WHERE price < :limit;

        -- name: carsOfColour
        SELECT name FROM cars WHERE upper(colour) = upper(:colour);
        """, to: "SQL/cars.sql")
    print("  written: \(try folder.update())")
    try folder.printPlans()

    print("A file less, and another query:")
    try FileManager.default.removeItem(atPath: "SQL/keys.sql")
    try write("-- name: carNames\nSELECT name FROM cars;\n", to: "SQL/cars.sql")
    print("  written: \(try folder.update())")
    print("  \(try FileManager.default.contentsOfDirectory(atPath: "Generated").sorted())")

    print("For other modules:")
    print("  written: \(try QueryFolder("SQL", output: "Generated", access: .public).update())")

    print("A file that was not generated is in the way:")
    try write("// Mine\n", to: "Generated/other.sql.swift")
    try write("-- name: otherCars\nSELECT name FROM cars;\n", to: "SQL/other.sql")
    print("  written: \(try folder.update())")
}
