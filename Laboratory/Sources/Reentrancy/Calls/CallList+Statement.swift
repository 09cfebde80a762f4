import Squall

extension CallList {
    mutating func addStatementCalls() {
        begin("Statement")
        addStatementProperties()
        read("bind(_:)") { try $0.bind(5) }
        write("bind(_:_:)") { try $0.bind(5, 6) }
        write("bind(_:)") { try $0.bind([5, 6]) }
        write("bind(contentsOf:)") { try $0.bind(contentsOf: [5, 6]) }
        write("run()") { try $0.run() }
        write("step()") { try $0.step() }
        write("reset()") { try $0.reset() }
        read("run()") { try $0.run() }
        read("step()") { try $0.step() }
        read("reset()") { try $0.reset() }
        read("row") { _ = $0.row?.columns }
        read("query()") { let _: [Int] = try $0.query() }
        read("query(_:)") { let _: Int? = try $0.query { try $0.get(0) } }
        read("query(_:)") { let _: [Int] = try $0.query { try $0.get(0) } }
        read("query(as:userInfo:)") { _ = try $0.query(as: [PlainRecord].self) }
        read("forEach(_:)") { try $0.forEach { (row: Row) in _ = row.columns } }
        read("forEach(_:)") { try $0.forEach { (_: Row, stop: inout Bool) in stop = true } }
        atRow("bind(_:)") { try $0.bind(5) }
        atRow("run()") { try $0.run() }
        atRow("step()") { try $0.step() }
        atRow("reset()") { try $0.reset() }
        atRow("row") { _ = $0.row?.columns }
        atRow("query()") { let _: [Int] = try $0.query() }
        atRow("forEach(_:)") { try $0.forEach { (row: Row) in _ = row.columns } }
        atRow("columnNames") { _ = $0.columnNames }
        atRow("expandedSQL") { _ = $0.expandedSQL }
        inOwnQuery("bind(_:)") { try $0.bind(5) }
        inOwnQuery("run()") { try $0.run() }
        inOwnQuery("step()") { try $0.step() }
        inOwnQuery("reset()") { try $0.reset() }
        inOwnQuery("row") { _ = $0.row?.columns }
        inOwnQuery("query()") { let _: [Int] = try $0.query() }
        inOwnQuery("forEach(_:)") { try $0.forEach { (row: Row) in _ = row.columns } }
        connectionCall("init(connection:sql:)") { try Statement(connection: $0, sql: "SELECT 1").run() }
        addPreparedInserts()
    }

    private mutating func addStatementProperties() {
        write("columnCount") { _ = $0.columnCount }
        write("columnNames") { _ = $0.columnNames }
        write("description") { _ = $0.description }
        write("expandedSQL") { _ = $0.expandedSQL }
        write("isBusy") { _ = $0.isBusy }
        write("isReadOnly") { _ = $0.isReadOnly }
        write("parameterCount") { _ = $0.parameterCount }
        write("parameterNames") { _ = $0.parameterNames }
        write("sql") { _ = $0.sql }
        write("status") { _ = $0.status }
        write("resetStatus()") { $0.resetStatus() }
    }

    private mutating func addPreparedInserts() {
        begin("PreparedInsert")
        object("run(_:)", holding: .statement) {
            try $0.prepareInsert(into: Item.table)
        } _: {
            try $0.run(nil, "new", 1)
        }
        object("sql", holding: .statement) {
            try $0.prepareInsert(into: Item.table)
        } _: {
            _ = $0.sql
        }
        begin("PreparedRecordInsert")
        object("run(_:)", holding: .statement) {
            try $0.prepareInsert(Item.self)
        } _: {
            try $0.run(Item(id: nil, name: "new", price: 1))
        }
        object("sql", holding: .statement) {
            try $0.prepareInsert(Item.self)
        } _: {
            _ = $0.sql
        }
    }

    /// A call of a statement that writes.
    private mutating func write(_ name: String, _ body: @escaping @Sendable (Statement) throws -> Void) {
        object(name, holding: .statement) {
            try $0.prepare("UPDATE items SET price = ? WHERE id = ?", 1, 2)
        } _: {
            try body($0)
        }
    }

    /// A call of a statement that reads.
    private mutating func read(_ name: String, _ body: @escaping @Sendable (Statement) throws -> Void) {
        object(name, holding: .statement) {
            try $0.prepare("SELECT id FROM items WHERE id > ?", 3)
        } _: {
            try body($0)
        }
    }

    /// A call of a statement that is at a row.
    private mutating func atRow(_ name: String, _ body: @escaping @Sendable (Statement) throws -> Void) {
        object(name, holding: .rows) { connection in
            let statement = try connection.prepare("SELECT id, name FROM items WHERE id > ?", 3)
            try statement.step()
            return statement
        } _: {
            try body($0)
        }
    }

    /// A call of a statement in the closure of its own query.
    private mutating func inOwnQuery(_ name: String, _ body: @escaping @Sendable (Statement) throws -> Void) {
        add(name, .closure, holding: .rows) { scene, inSituation in
            let statement = try scene.requireConnection().prepare("SELECT id, name FROM items WHERE id > 3")
            var isFirst = true
            try statement.forEach { (_: Row) in
                guard isFirst else { return }
                isFirst = false
                try inSituation { try body(statement) }
            }
        }
    }

    private mutating func connectionCall(_ name: String, _ body: @escaping @Sendable (Connection) throws -> Void) {
        connection(name) { try body($0) }
    }
}
