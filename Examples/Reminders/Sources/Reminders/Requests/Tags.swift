import Squall

extension Connection {
    func addTags(_ names: [String], to reminder: Int64) throws {
        for name in names {
            try insert(ReminderTag(reminder: reminder, tag: tagIDAddingIfNew(name)), orIgnore: true)
        }
    }

    func tagIDAddingIfNew(_ name: String) throws -> Int64 {
        if let id = try insert(Tag(id: nil, name: name), orIgnore: true) { return id }
        return try query("SELECT id FROM tags WHERE name = \(name)")
    }
}
