import Squall

/// Thrown if a request names a list or a reminder that does not exist.
struct NotFound: Error, CustomStringConvertible {
    let description: String

    init(_ what: String) { description = "There is no \(what)." }
}

extension Connection {
    /// Returns the id of a list by its name, which is compared without case.
    func listID(_ name: String) throws -> Int64 {
        let id: Int64? = try query("SELECT id FROM lists WHERE name = \(name)")
        guard let id else { throw NotFound("list \"\(name)\"") }
        return id
    }

    func listIDAddingIfNew(_ name: String) throws -> Int64 {
        try insert(ReminderList(id: nil, name: name), orIgnore: true) ?? listID(name)
    }
}
