import Foundation
import SQiftCompatibility

/// Functions in SQift's form look at the types of their arguments themselves, and choose that of their result.
func functionValues() throws {
    let connection = try Connection(storageLocation: .inMemory)
    let half: Connection.ScalarFunction = { _, values in halved(values[0]) }
    try connection.addScalarFunction(named: "half", argumentCount: 1, function: half)
    try connection.addScalarFunction(named: "matches", argumentCount: 2, function: matches)
    try connection.addScalarFunction(named: "empty", argumentCount: 1) { _, values in .zeroData(UInt64(values[0].long))
    }
    for argument: SQL in ["7", "2.5", "'9'", "'x'", "x'01020304'", "NULL"] {
        print(try connection.query("SELECT quote(half(\(argument)))") as String, terminator: " ")
    }
    print(try connection.query("SELECT length(empty(1000))") as Int)
    print(
        try connection.query(
            "SELECT group_concat(column1) FROM (VALUES('Audi'), ('BMW')) WHERE matches('[AB]u', column1)") as String)

    let makeRange: Connection.AggregateContextObjectFactory = { Range() }
    let addToRange: Connection.AggregateStepFunction = { context, values in range(of: context)?.add(values[0].double) }
    let sizeOfRange: Connection.AggregateFinalFunction = { context in .double(range(of: context)?.size ?? 0) }
    try connection.addAggregateFunction(
        named: "spread", argumentCount: 1, contextObjectFactory: makeRange, stepFunction: addToRange,
        finalFunction: sizeOfRange)
    print(try connection.query("SELECT spread(column1) FROM (VALUES(3), (1.5), (8))") as Double)
}

/// Returns the half of a number, also of one in a text, and the first half of bytes.
private func halved(_ value: Connection.FunctionValue) -> Connection.FunctionResult {
    if value.isData { return .data(Data(value.buffer.prefix(value.buffer.count / 2))) }
    if value.isInteger { return .long(value.long / 2) }
    return value.isDouble || value.numericType == .integer || value.numericType == .double
        ? .double(value.double / 2) : .null
}

/// Compiles a pattern once for a statement, because the context keeps it with the argument.
private func matches(
    _ context: Connection.ScalarFunctionContext, _ values: [Connection.FunctionValue]
) -> Connection.FunctionResult {
    var kept: Connection.ScalarFunctionContext.AuxilaryData { context.auxilaryData }
    let pattern = kept[0] as? NSRegularExpression ?? (try? NSRegularExpression(pattern: values[0].text))
    guard let pattern else { return .error(message: "no pattern: \(values[0].text)", code: nil) }
    kept[0] = pattern
    let text = values[1].text
    return .integer(pattern.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) == nil ? 0 : 1)
}

/// The smallest and the largest number of a group.
private final class Range {
    private var bounds: ClosedRange<Double>?
    var size: Double { bounds.map { $0.upperBound - $0.lowerBound } ?? 0 }

    func add(_ number: Double) {
        let old = bounds ?? number...number
        bounds = min(old.lowerBound, number)...max(old.upperBound, number)
    }
}

private func range(of context: Connection.AggregateFunctionContext) -> Range? { context.finalObject as? Range }
