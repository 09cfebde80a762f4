import Foundation
import Squall

/// The import of a file into a table.
struct ImportRun {
    /// The numbers of records, by what became of them.
    struct Counts {
        var written = 0
        /// Those that the table does not have, although no error was reported.
        var ignored = 0
        var rejected = 0
    }

    let source: ImportSource
    let conflict: ConflictAction
    let conversion: FieldConversion
    let rejectPath: String?
    let interruption: Interruption

    /// Finds the table, or describes a new one by all fields of the file.
    func table(_ options: TableOptions, in connection: Connection) throws -> ImportTable {
        if let table = try ImportTable(existing: options, in: connection) { return table }
        try source.file.makeRepeatable()
        let (names, detected) = try detectTypes()
        guard !names.isEmpty else { throw Failure("\(source.file.name): no columns", exitCode: .badInput) }
        var types = detected
        for override in options.types {
            guard let index = names.firstIndex(where: { Identifier($0) == Identifier(override.column) }) else {
                throw Failure(
                    "\(source.file.name): no column '\(override.column)'", exitCode: .badInput,
                    hint: ImportTable.hint(names)
                )
            }
            types[index] = override.type
        }
        return try ImportTable(new: options, columns: zip(names, types).map { ImportColumn(name: $0, type: $1) })
    }

    private func detectTypes() throws -> ([String], [ColumnType]) {
        var detection = TypeDetection(null: conversion.null)
        let reader = try source.reader()
        try forEachRecord(of: reader, "reading types") { record in
            if let problem = record.problem {
                // Without a file for them, the first bad record ends the import, and it may as well do so now.
                if rejectPath == nil { throw failure(BadRecord(reason: problem), record) }
            } else {
                detection.consider(record)
            }
        }
        return (reader.columns, detection.types(count: reader.columns.count))
    }

    /// Creates the table if it does not exist, and inserts the records, all or none.
    func insert(into table: ImportTable, _ connection: Connection) throws -> Counts {
        do {
            return try connection.transaction(transactionType: .immediate) {
                if let creation = table.creation { try connection.run(creation) }
                return try process(table, connection) { try $0.insert($1) }
            }
        } catch {
            // After a write that has failed, for instance on a full disk, SQLite restores the file at the next read.
            try? connection.run("PRAGMA schema_version")
            throw error
        }
    }

    /// Counts the records that could be converted, without writing anything.
    func check(_ table: ImportTable, _ connection: Connection) throws -> Counts {
        try process(table, connection) { insertion, record in
            try insertion.check(record)
            return true
        }
    }

    private func process(
        _ table: ImportTable, _ connection: Connection,
        _ body: (inout RowInsertion, borrowing Record) throws -> Bool
    ) throws -> Counts {
        var counts = Counts()
        var rejects = try rejectPath.map { try RejectFile(path: $0) }
        var insertion = RowInsertion(connection, table, conflict, conversion)
        let reader = try source.reader()
        let hint = source.delimiter == nil ? reader.delimiterHint : nil
        try checkHeader(reader, table, hint: hint)
        if let hint { Console.printError("hint: \(hint)") }
        try forEachRecord(of: reader, "importing") { record in
            do {
                if let problem = record.problem { throw BadRecord(reason: problem) }
                insertion.match(reader.columns)
                if try body(&insertion, record) { counts.written += 1 } else { counts.ignored += 1 }
            } catch let bad as BadRecord {
                guard rejects != nil, !bad.endsImport else { throw failure(bad, record) }
                try rejects?.add(record, bad.reason)
                counts.rejected += 1
            }
        }
        try rejects?.finish()
        if let hint = insertion.hint { Console.printError("hint: \(hint)") }
        return counts
    }

    /// Checks that the table has all columns of a header. The first record would not be to blame.
    private func checkHeader(_ reader: any RecordReader, _ table: ImportTable, hint: String?) throws {
        for name in reader.columns {
            do throws(BadRecord) {
                _ = try table.column(named: name)
            } catch {
                throw Failure("\(source.file.name): \(error.reason)", exitCode: .badInput, hint: hint ?? error.hint)
            }
        }
        var names: Set<Identifier> = []
        for name in reader.columns where !names.insert(Identifier(name)).inserted {
            throw Failure("\(source.file.name): two columns have the name '\(name)'", exitCode: .badInput)
        }
    }

    private func forEachRecord(
        of reader: any RecordReader, _ title: String, _ body: (borrowing Record) throws -> Void
    ) throws {
        var bar = ProgressBar(title)
        defer { bar.clear() }
        var record = Record()
        var count = 0
        while try reader.next(&record) {
            try body(record)
            count += 1
            if count.isMultiple(of: 256) {
                try interruption.check()
                bar.update(source.file.size.map { Double(reader.position) / Double($0) }, "\(count.grouped) rows")
            }
        }
        try interruption.check()
    }

    private func failure(_ bad: BadRecord, _ record: borrowing Record) -> Failure {
        Failure(
            "\(source.file.name), line \(record.line): \(bad.reason)", exitCode: .badInput,
            hint: bad.hint
        )
    }
}

extension Int {
    /// The number with commas between groups of three digits: 336,776.
    fileprivate var grouped: String {
        var digits = String(self)
        var index = digits.endIndex
        while let next = digits.index(index, offsetBy: -3, limitedBy: digits.startIndex), next > digits.startIndex {
            digits.insert(",", at: next)
            index = next
        }
        return digits
    }
}
