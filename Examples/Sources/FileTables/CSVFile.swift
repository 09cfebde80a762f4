import Foundation
import Squall
import SwiftCSV

/// A CSV file, whose first line has the names of the columns: `CREATE VIRTUAL TABLE temp.cars USING csv(file='cars.csv')`.
///
/// An empty field is NULL, and a field that spells a number is one.
struct CSVFile: VirtualTable {
    private let file: URL
    private let names: [String]

    init(_ arguments: TableArguments) throws {
        file = URL(filePath: try arguments.required("file"))
        names = try Self.read(file).header
    }

    var columns: [VirtualColumn<[String]>] {
        names.enumerated().map { index, name in
            VirtualColumn(name, type: "NUMERIC") { row in
                index < row.count && !row[index].isEmpty ? Self.value(row[index]) : .null
            }
        }
    }

    func rows(_ scan: borrowing Scan) throws -> [[String]] { try Self.read(file).rows }

    private static func read(_ file: URL) throws -> EnumeratedCSV {
        try EnumeratedCSV(url: file, delimiter: .comma, loadColumns: false)
    }

    private static func value(_ text: String) -> BindingValue {
        if let number = Int64(text) { return .integer(number) }
        if let number = Double(text), number.isFinite { return .real(number) }
        return .text(text)
    }
}
