import Squall

extension Configuration {
    /// Small limits, which each of the statements below exceeds.
    static let strangers: Configuration = {
        var configuration = Configuration.recommended
        configuration.limits = [
            .attached: 0, .sqlLength: 200, .expressionDepth: 8, .compoundSelect: 2, .functionArguments: 3,
            .likePatternLength: 10, .variables: 4, .virtualMachineInstructions: 60, .columns: 6, .length: 2_000,
        ]
        return configuration
    }()
}

func exceedLimits() throws {
    let guest = try Guest(configuration: .strangers)
    guest.trust()
    print("Too much:")
    guest.send("SELECT '\(String(repeating: "long ", count: 50))'")
    guest.send("SELECT 1+1+1+1+1+1+1+1+1+1")
    guest.send("SELECT 1 UNION SELECT 2 UNION SELECT 3")
    guest.send("SELECT max(1, 2, 3, 4)")
    guest.send("SELECT name FROM customers WHERE name LIKE '%a%d%a%e%n%g'")
    guest.send("SELECT ?5")
    guest.send("SELECT 1, 2, 3, 4, 5, 6, 7")
    guest.send("SELECT hex(zeroblob(5000))")
    guest.send("ATTACH 'other.db' AS other")
    // SQLite reports a statement with too many instructions as a lack of memory.
    guest.send("SELECT name FROM customers WHERE id IN (\((1...40).map(String.init).joined(separator: ", ")))")

    // The limits of a connection can be changed later, within those with which SQLite was compiled.
    loosen(&guest.connection.limits, except: [.triggerDepth, .attached])
    guest.send("SELECT 1 UNION SELECT 2 UNION SELECT 3")
    guest.send("ATTACH 'other.db' AS other")
}

private func loosen(_ limits: inout Limits, except kept: [Configuration.Limit]) {
    let before = limits
    limits = .standard
    for limit in kept { limits[limit] = before[limit] }
}
