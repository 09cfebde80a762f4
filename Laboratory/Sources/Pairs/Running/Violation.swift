/// A condition that did not hold.
struct Violation: Error, CustomStringConvertible {
    let description: String
}

/// The error that a closure throws in the middle of a transaction, of which nothing may remain.
struct InjectedError: Error {}

func require(_ condition: Bool, _ text: @autoclosure () -> String) throws {
    if !condition { throw Violation(description: text()) }
}

/// Requires that two lists are equal, and names the first elements that only one of them has.
func require(_ found: [String], equals expected: [String], _ subject: String) throws {
    if found == expected { return }
    let missing = expected.filter { !found.contains($0) }.prefix(3)
    let surplus = found.filter { !expected.contains($0) }.prefix(3)
    throw Violation(
        description:
            "\(subject): missing \(Array(missing)), surplus \(Array(surplus)), \(found.count) of \(expected.count)")
}

/// Requires that tables have the rows of a model.
func require(_ found: Model, equals expected: Model, _ subject: String) throws {
    if found == expected { return }
    try require(found.fingerprints, equals: expected.fingerprints, subject)
    throw Violation(description: "\(subject): equal texts of other rows")
}
