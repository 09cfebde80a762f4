import Squall

/// Two tables of one shape: the current records, and those that are kept.
struct Archive<Records: RecordTable> {
    typealias Access = Connection.TableAccess<Records.Record, Records.Key>

    private let connection: Connection
    let current: Access
    private let kept: Access

    init(_ current: Records, kept: Records, on connection: Connection) {
        self.connection = connection
        self.current = connection.table(current)
        self.kept = connection.table(kept)
    }

    /// Moves the records that meet a condition, all of them or none.
    func move(where condition: (Columns<Records.Record>) -> Condition) throws -> Int {
        try connection.transaction {
            let moved = try current.deleteReturning(where: condition)
            try kept.insert(contentsOf: moved)
            return moved.count
        }
    }

    func all() throws -> [Records.Record] { try kept.all() }

    func bringBack() throws { try current.replace(contentsOf: try all()) }
}
