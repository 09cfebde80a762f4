import Foundation
import Squall
import SquallBase

/// A form in which a column stores dates, with the current time as its default: `Column("at", \Event.at, as: .unixTime, .default(.now))`.
struct TimeForm {
    /// The name of the form; `nil` for the form of a `Date` without one.
    let name: String?
    /// The type of the column that Squall declares.
    let type: String
    private let expression: String

    private struct Times {
        let text: Date, unixTime: Date, unixMilliseconds: Date, julianDay: Date

        static let table = Table("times", Times.init) {
            Column("text", \Times.text, .default(.now))
            Column("unixTime", \Times.unixTime, as: .unixTime, .default(.now))
            Column("unixMilliseconds", \Times.unixMilliseconds, as: .unixMilliseconds, .default(.now))
            Column("julianDay", \Times.julianDay, as: .julianDay, .default(.now))
        }
    }

    private static let all = Times.table.definition.columns.map { column in
        TimeForm(
            name: column.name == "text" ? nil : column.name, type: column.type,
            expression: normalized(column.defaultValue))
    }

    private init(name: String?, type: String, expression: String) {
        self.name = name
        self.type = type
        self.expression = expression
    }

    /// The form whose current time is the default of a column.
    init?(ofDefault value: SQL?) {
        let expression = Self.normalized(value)
        guard let form = Self.all.first(where: { $0.expression == expression }) else { return nil }
        self = form
    }

    private static func normalized(_ value: SQL?) -> String { SQLTokenizer.normalized(value?.text ?? "") }
}
