import ArgumentParser
import Foundation
import Rainbow
import Squall

struct Size: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the size of each table and index, of the free pages and of the log.",
        discussion: """
            'unused' is the share of a table's pages that holds nothing. 'fragmented' is the share of its pages that do not \
            follow one another in the file. 'VACUUM' mends both, and returns the free pages to the disk. In the formats json and csv, \
            sizes are bytes and shares are from 0 to 1. The whole file is read.
            """
    )

    @OptionGroup
    var source: DatabaseArgument

    @Option(help: "How the list is printed.")
    var format: OutputFormat = .table

    func run() throws {
        try SideFiles.check(database: source.file)
        let files = SideFiles(of: source.file)
        try source.database.use { connection in
            let (parts, totals) = try connection.snapshot {
                (try connection.sizeParts(), try FileTotals(connection, logSize: files.logSize))
            }
            let output = Output()
            try output.flushing {
                if format == .table { return try print(parts, totals, to: output) }
                let columns = ["name", "type", "table", "bytes", "share", "unused", "fragmented"]
                let rows = parts.map { $0.cells(of: totals) } + totals.cells
                try output.write(rows, columns: columns, as: format)
            }
        }
    }

    private func print(_ parts: [SizePart], _ totals: FileTotals, to output: Output) throws {
        var table = TableFormat(
            columns: ["name", "type", "table", "size", "share", "unused", "fragmented"], output: output)
        table.printsCount = false
        let sizes = parts.map(\.use.bytes.byteText).rightAligned
        let shares = parts.map { $0.share(of: totals).percentText }.rightAligned
        let unused = parts.map(\.unused.percentText).rightAligned
        let fragmented = parts.map { $0.use.fragmentation?.percentText ?? "" }.rightAligned
        for (index, part) in parts.enumerated() {
            table.write([
                .text(part.use.name), .text(part.type), .text(part.type == "index" ? part.table : ""),
                .text(sizes[index]), .text(shares[index]), .text(unused[index]), .text(fragmented[index]),
            ])
        }
        try table.finish()
        try output.write(
            "\n\(totals.bytes.byteText.bold) in \(totals.pages) pages of \(totals.pageSize) bytes; "
                + "\(totals.freePages) of them free (\(totals.freeBytes.byteText))\n")
        if let log = totals.logSize { try output.write("\(Int64(log).byteText) in the write-ahead log\n") }
    }
}

/// A table or an index with the pages that it occupies.
private struct SizePart {
    let use: PageUse
    let type: String
    let table: String

    var unused: Double { use.bytes > 0 ? Double(use.unused) / Double(use.bytes) : 0 }

    func share(of totals: FileTotals) -> Double { totals.bytes > 0 ? Double(use.bytes) / Double(totals.bytes) : 0 }

    func cells(of totals: FileTotals) -> [Cell] {
        [
            .text(use.name), .text(type), .text(table), .integer(use.bytes), .real(share(of: totals)), .real(unused),
            use.fragmentation.map { .real($0) } ?? .null,
        ]
    }
}

/// The pages of the file.
private struct FileTotals {
    let pages: Int64
    let freePages: Int64
    let pageSize: Int64
    let logSize: Int?

    init(_ connection: Connection, logSize: Int?) throws {
        pages = try connection.query("PRAGMA main.page_count")
        freePages = try connection.query("PRAGMA main.freelist_count")
        pageSize = try connection.pageSize()
        self.logSize = logSize
    }

    var bytes: Int64 { pages * pageSize }
    var freeBytes: Int64 { freePages * pageSize }

    /// The rows that are not of tables: the free pages and the log.
    var cells: [[Cell]] {
        let share = bytes > 0 ? Double(freeBytes) / Double(bytes) : 0
        let free: [Cell] = [.null, .text("free pages"), .null, .integer(freeBytes), .real(share), .null, .null]
        let log = logSize.map { size -> [Cell] in
            [.null, .text("log"), .null, .integer(Int64(size)), .null, .null, .null]
        }
        return [free] + (log.map { [$0] } ?? [])
    }
}

extension Connection {
    fileprivate func sizeParts() throws -> [SizePart] {
        let entries = Dictionary(try storedEntries().map { (Identifier($0.name), $0) }) { first, _ in first }
        return try pageUse().map { use in
            let entry = entries[Identifier(use.name)]
            return SizePart(use: use, type: (entry?.kind ?? .table).rawValue, table: entry?.table ?? use.name)
        }
    }
}

extension Int64 {
    /// A number of bytes for people: `12.3 MB`. A kilobyte is 1,000 bytes.
    var byteText: String {
        guard self >= 1_000 else { return "\(self) B" }
        var value = Double(self) / 1_000
        var units = ["kB", "MB", "GB", "TB"][...]
        while value >= 999.95, units.count > 1 {
            value /= 1_000
            units.removeFirst()
        }
        return String(format: "%.1f \(units.first ?? "")", value)
    }
}

extension [String] {
    /// The texts, padded at the left to the width of the widest.
    fileprivate var rightAligned: [String] {
        let width = self.map(\.count).max() ?? 0
        return self.map { String(repeating: " ", count: width - $0.count) + $0 }
    }
}

extension Double {
    /// A share for people: `12.3 %`.
    fileprivate var percentText: String { String(format: "%.1f %%", self * 100) }
}
