import Foundation
import Squall

/// An account, which may be a part of another one.
struct Account: TableRecord {
    let id: Int
    let name: String
    let parent: Int?

    static let table = Table("accounts", Account.init) {
        Column("id", \Account.id, .primaryKey)
        Column("name", \Account.name, .unique)
        Column("parent", \Account.parent, .references("accounts"))
    }
}

/// A booking on an account, in whole cents.
struct Entry: TableRecord {
    var id: Int?
    var account: Int
    var amount: Int
    var reference: String
    var note: String?
    var written = Date()

    static let table = Table(
        "entries", Entry.init, .constraint(TableConstraint(name: "entries_not_empty", .check("amount <> 0"))),
        .index("entries_newest", on: .byTime(.descending), IndexedColumn("note", collation: "NOCASE")),
        .index("entries_sizes", on: .expression("abs(amount)"))
    ) {
        Column("id", \Entry.id, .primaryKey)
        Column("account", \Entry.account, .references("accounts"))
        Column("amount", \Entry.amount)
        Column("reference", \Entry.reference, .notNull(onConflict: .abort), .unique(onConflict: .rollback))
        Column("note", \Entry.note)
        Column("written", \Entry.written, .timestamp)
    }
}

/// A line of a statement of the bank.
struct BankLine: TableRecord {
    let reference: String
    var amount: Int
    var received = Date()

    static let table = Table("bank_lines", BankLine.init, .withoutRowID) {
        Column("reference", \BankLine.reference, .primaryKey)
        Column("amount", \BankLine.amount)
        Column("received", \BankLine.received, as: .unixMilliseconds, .timestamp)
    }
}

/// The days whose entries are closed. Its initialiser stops the program for days in the wrong order, so that the table must not
/// try it with made-up values: it is `unprobed`. The file has a constraint for the same rule.
struct ClosedPeriod: TableRecord {
    let id: Int
    let days: ClosedRange<Int>

    init(id: Int, first: Int, last: Int) {
        self.id = id
        days = first...last
    }

    var first: Int { days.lowerBound }
    var last: Int { days.upperBound }

    static let table = Table(
        "closed_periods", ClosedPeriod.init(id:first:last:), .check("first_day <= last_day"), .unprobed
    ) {
        Column("id", \ClosedPeriod.id, .primaryKey)
        Column("first_day", \ClosedPeriod.first)
        Column("last_day", \ClosedPeriod.last)
    }
}

extension ColumnConstraint where Value: StatementParameter, Value.ColumnBase: StoredDate {
    /// The time at which a row is written, in the form of the column, for rows whose statement does not give one.
    static var timestamp: ColumnConstraint {
        let time: InsertTime = .now
        return .default(time)
    }
}

extension IndexedColumn {
    /// The time of an entry, from the first one or from the last one. Foundation has a `SortOrder` too, hence the module's name.
    static func byTime(_ order: Squall.SortOrder) -> IndexedColumn { IndexedColumn("written", order: order) }
}
