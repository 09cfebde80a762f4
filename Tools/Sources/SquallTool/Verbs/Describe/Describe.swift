import ArgumentParser
import Foundation
import Rainbow
import Squall

struct Describe: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Describes a table or all tables: columns, indexes, foreign keys in both directions, triggers.",
        discussion: """
            In the formats json and csv, each column, index, foreign key and trigger is a row of one list; its column \
            'part' has the kind.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @Argument(help: "A table or view; without it, all of them.")
    var table: String?

    @Option(help: "How the description is printed.")
    var format: OutputFormat = .table

    func run() throws {
        try source.database.use { connection in
            let tables = try connection.snapshot { try connection.tableDescriptions(of: table) }
            let output = Output()
            try output.flushing {
                guard format == .table else {
                    let columns = ["table", "part", "name", "type", "not null", "default", "key", "details"]
                    return try output.write(tables.lazy.flatMap(\.rows), columns: columns, as: format)
                }
                for (index, table) in tables.enumerated() {
                    if index > 0 { try output.write("\n") }
                    try table.print(to: output)
                }
            }
        }
    }
}

// MARK: - For people

extension TableDescription {
    fileprivate func print(to output: Output) throws {
        let kind = [listing.kind.rawValue, listing.options].filter { !$0.isEmpty }.joined(separator: ", ")
        try output.write("\(listing.name.printable.bold) \("(\(kind))".dim)\n")
        if let fault { return try output.write("   \("broken: \(fault)".printable)\n") }
        var table = TableFormat(columns: ["column", "type", "null", "default", "key", "details"], output: output)
        table.printsCount = false
        for column in columns where !column.isHidden {
            table.write([
                .text(column.name), .text(column.type), .text(column.isNotNull ? "NOT NULL" : ""),
                column.defaultValue.map { $0.isSameName(as: "NULL") ? .null : .text($0) } ?? .text(""),
                .text(keys(of: column)),
                .text(column.details.joined(separator: " ")),
            ])
        }
        try table.finish()
        try print("indexes", indexes.map { $0.listing.name.sqlName + " " + details(of: $0) }, output)
        try print(
            "foreign keys", foreignKeys.map { "\(ForeignKey.list($0.columns)) → \($0.target) \($0.actions)" }, output)
        try print(
            "referred to by",
            references.map { "\($0.table.sqlName).\(ForeignKey.list($0.columns)) → \($0.target) \($0.actions)" }, output
        )
        try print("checks", checks, output)
        try print("triggers", triggers.map { "\($0.name.sqlName) \($0.triggerEvent)" }, output)
    }

    private func print(_ title: String, _ lines: [String], _ output: Output) throws {
        guard !lines.isEmpty else { return }
        try output.write(" \(title.bold)\n")
        for line in lines {
            try output.write("   \(line.printable.trimmingCharacters(in: .whitespaces))\n")
        }
    }

    fileprivate func details(of index: Index) -> String {
        var parts = ["(\(index.listing.columnList(index.definition)))"]
        switch index.listing.origin {
        case .primaryKey: parts.append("PRIMARY KEY")
        case .unique: parts.append("UNIQUE constraint")
        case .statement: if index.listing.isUnique { parts.append("UNIQUE") }
        }
        if let condition = index.definition?.condition { parts.append("WHERE \(condition.text)") }
        return parts.joined(separator: " ")
    }
}

// MARK: - For programs

extension TableDescription {
    fileprivate var rows: [[Cell]] {
        let own = columns.filter { !$0.isHidden }.map { column in
            row(
                "column", column.name, type: column.type, isNotNull: column.isNotNull, column.defaultValue,
                key: keys(of: column), details: column.details.joined(separator: " "))
        }
        let indexRows = indexes.map { row("index", $0.listing.name, details: details(of: $0)) }
        let keyRows = foreignKeys.map {
            row("foreign key", ForeignKey.list($0.columns), details: joined($0.target, $0.actions))
        }
        let referenceRows = references.map {
            row(
                "referred to by", $0.table,
                details: joined("\(ForeignKey.list($0.columns)) REFERENCES \($0.target)", $0.actions))
        }
        let checkRows = checks.map { row("check", nil, details: $0) }
        let triggerRows = triggers.map { row("trigger", $0.name, details: $0.triggerEvent) }
        let faultRows = (fault.map { [$0] } ?? []).map { row("error", nil, details: $0) }
        return faultRows + own + indexRows + keyRows + referenceRows + checkRows + triggerRows
    }

    private func joined(_ parts: String...) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func row(
        _ part: String, _ name: String?, type: String? = nil, isNotNull: Bool? = nil, _ defaultValue: String? = nil,
        key: String? = nil, details: String
    ) -> [Cell] {
        let texts = [defaultValue, key, details].map { text in
            text.flatMap { $0.isEmpty ? nil : Cell.text($0) } ?? .null
        }
        return [
            .text(listing.name), .text(part), name.map { .text($0) } ?? .null, type.map { .text($0) } ?? .null,
            isNotNull.map { .integer($0 ? 1 : 0) } ?? .null,
        ] + texts
    }
}
