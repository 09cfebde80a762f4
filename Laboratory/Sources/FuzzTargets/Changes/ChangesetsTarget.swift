import SquallChanges
import Foundation
import Squall

extension FuzzTarget {
    /// Bytes that may be a changeset.
    static let changesets = FuzzTarget(
        "changesets", "bytes as changesets", longestInput: 2048, seeds: { try ChangesetSeeds.all() },
        run: { bytes in
            var input = FuzzInput(bytes)
            let (answer, size) = (input.byte(), input.byte())
            try DamagedChangeset(data: Data(input.rest()), answer: answer, partSize: Int(size) + 1).check()
        })
}

/// A changeset whose bytes are those of the fuzzer.
struct DamagedChangeset {
    let data: Data
    let answer: UInt8
    let partSize: Int

    func check() throws {
        let changes = Changeset(data)
        let (before, intact) = try ChangesetSeeds.databases()
        let elements = try allowingErrors { try changes.elements }
        try require(!changes.description.isEmpty, "a changeset without a description")
        try checkInverse(of: changes, elements)
        try checkParts(elements)
        try allowingErrors { _ = try changes.appending(intact).elements }
        try allowingErrors { _ = try intact.appending(changes, changes).elements }
        // `sqlite3rebaser_configure` of 3.40 does not free a change that it cannot merge with an earlier one of the same row.
        try LeakChecker.ignoring {
            try allowingErrors { _ = try Rebaser(Resolutions(data)).rebased(intact).elements }
            try allowingErrors { _ = try Rebaser(Resolutions(data), Resolutions(data)).rebased(changes).elements }
        }
        try allowingErrors { _ = try Rebaser().rebased(changes).elements }
        for (index, input) in [changes, (try? intact.appending(changes)) ?? intact].enumerated() {
            try checkApplying(input, stream: index == 0 ? part() : nil, before)
        }
    }

    private func part() -> ChangesetStream {
        var rest = data
        let size = partSize
        return ChangesetStream {
            defer { rest = Data(rest.dropFirst(size)) }
            return rest.isEmpty ? nil : rest.prefix(size)
        }
    }

    /// The inverse of the inverse has the changes of the changeset.
    private func checkInverse(of changes: Changeset, _ elements: [Changeset.Change]?) throws {
        guard let inverse = try allowingErrors({ try changes.inverted() }) else { return }
        let inverted = try inverse.elements
        guard let elements else { throw WrongResult("a changeset can be inverted, and not read") }
        try requireEqual(inverted.count, elements.count, "the number of inverted changes")
        // SQLite drops the new value of a column that the table's header takes for a key. No change of a database has one.
        let isWellFormed = elements.allSatisfy { change in
            change.operation != .update
                || change.keyColumns.allSatisfy { change.new[$0] == nil && change.old[$0] != nil }
        }
        if isWellFormed { try requireEqual(try inverse.inverted().elements, elements, "the inverse of the inverse") }
    }

    /// The changeset in parts has the changes of the whole.
    private func checkParts(_ elements: [Changeset.Change]?) throws {
        var found: [Changeset.Change] = []
        let read: Void? = try allowingErrors { try part().forEach { found.append($0) } }
        try require((read == nil) == (elements == nil), "only the whole or only the parts are a changeset")
        if let elements { try requireEqual(found, elements, "the changes of the parts") }
        var inverted = Data()
        try allowingErrors { try part().invert { inverted += $0 } }
    }

    /// Applies the changes. An error leaves the database as it was.
    private func checkApplying(_ changes: Changeset, stream: ChangesetStream?, _ connection: Connection) throws {
        let start = try ChangesetSeeds.dump(connection)
        struct Undo: Error {}
        func resolve(_ conflict: Changeset.Conflict) -> Changeset.Answer {
            if answer & 3 == 0 { return .abort }
            return answer & 3 == 1 && [.data, .conflict].contains(conflict.kind) ? .replace : .omit
        }
        do {
            try connection.transaction {
                let options: Changeset.ApplyOptions = answer & 4 == 0 ? [] : .inverted
                let applied: Resolutions? = try allowingErrors {
                    try connection.apply(changes, options: options, resolve)
                }
                if applied == nil {
                    try requireEqual(try ChangesetSeeds.dump(connection), start, "the rows after an error")
                } else if let applied {
                    _ = try Rebaser(applied).rebased(changes.isPatchset ? Changeset(Data()) : changes)
                }
                if let stream {
                    let before = try ChangesetSeeds.dump(connection)
                    let streamed = try allowingErrors { try connection.apply(stream, options: options, resolve) }
                    if streamed == nil {
                        try requireEqual(
                            try ChangesetSeeds.dump(connection), before, "the rows after an error of a stream")
                    }
                }
                throw Undo()
            }
        } catch is Undo {}
        try requireEqual(try ChangesetSeeds.dump(connection), start, "the rows after a rollback")
        try require(!connection.isInTransaction, "a transaction is left open")
    }
}
