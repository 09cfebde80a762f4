import Foundation
import SQiftCompatibility

func functions() throws {
    let connection = try Connection(storageLocation: .inMemory)

    // SQift's README converts to ASCII lossily, which returns nothing on Linux. Folding the letters works.
    try connection.addScalarFunction(named: "strip_unicode", argumentCount: 1) { _, values in
        guard let value = values.first, value.isText else { return .null }
        return .text(value.text.folding(options: .diacriticInsensitive, locale: nil))
    }

    let sql: SQL = "SELECT strip_unicode(?)"

    let result1: String? = try connection.prepare(sql, "å").query()
    let result2: String? = try connection.prepare(sql, "ć").query()
    let result3: String? = try connection.prepare(sql, "áč").query()

    print(result1 ?? "nil", result2 ?? "nil", result3 ?? "nil")

    // An aggregate: one object for each group, one step for each row.
    final class Longest {
        var text = ""
    }
    try connection.addAggregateFunction(
        named: "longest",
        argumentCount: 1,
        contextObjectFactory: { Longest() },
        stepFunction: { context, values in
            guard let longest = context.stepObject as? Longest, values[0].isText else { return }
            if values[0].text.count > longest.text.count { longest.text = values[0].text }
        },
        finalFunction: { context in .text((context.finalObject as? Longest)?.text ?? "") }
    )
    let longest: String = try connection.query("SELECT longest(column1) FROM (VALUES('Audi'), ('Mercedes'), ('BMW'))")
    print(longest)

    // Squall's form, without unpacking values.
    try connection.addFunction("distance") { (a: Double, b: Double) in abs(a - b) }
    let distance: Double = try connection.query("SELECT distance(7.5, 10)")
    print(distance)
}
