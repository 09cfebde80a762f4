import Squall

/// The rows around a sale that a number is computed from.
private struct Frame {
    let name: String
    let from: WindowFrame.Bound
    let to: WindowFrame.Bound
    var without: WindowFrame.Exclusion?

    /// Counts rows: the sales before and after this one.
    var ofRows: WindowFrame { excluding(.rows(from: from, to: to)) }

    /// Compares amounts: the sales that cost up to so much less or more.
    var ofAmounts: WindowFrame { excluding(.range(from: from, to: to)) }

    /// Counts amounts: the sales of the next lower and higher amounts.
    var ofGroups: WindowFrame { excluding(.groups(from: from, to: to)) }

    private func excluding(_ frame: WindowFrame) -> WindowFrame { without.map { frame.excluding($0) } ?? frame }
}

func printFrames(_ connection: Connection) throws {
    print("\n# Sums of the sales around each one")
    let frames = [
        Frame(name: "until now", from: .unboundedPreceding, to: .currentRow),
        Frame(name: "from now", from: .currentRow, to: .unboundedFollowing),
        Frame(name: "the last three", from: .preceding(2), to: .currentRow),
        Frame(name: "both neighbours", from: .preceding(1), to: .following(1), without: .currentRow),
    ]
    for frame in frames {
        let sums = Sale.order { $0.sold }.select { sale in
            sale.amount.sum().over(order: sale.sold.ascending, frame: frame.ofRows)
        }
        printLine(frame.name + ":", try connection.all(sums).compactMap { $0 })
    }

    print("\n# Sales that cost nearly the same")
    let near = Frame(name: "± 10.00", from: .preceding(1_000), to: .following(1_000), without: .currentRow)
    try printCounts(connection, near.name, near.ofAmounts)
    let levels: [Frame] = [
        Frame(name: "this level and the next", from: .currentRow, to: .following(1)),
        Frame(name: "only the next level", from: .currentRow, to: .following(1), without: .group),
        Frame(name: "one of this level and the next", from: .currentRow, to: .following(1), without: .ties),
    ]
    for level in levels { try printCounts(connection, level.name, level.ofGroups) }
}

/// Prints the number of rows in the frame of each sale, all of them and those that are paid.
private func printCounts(_ connection: Connection, _ name: String, _ frame: WindowFrame) throws {
    let all: AggregateFunction<Int> = .rowCount
    let counts = Sale.order { ($0.amount, $0.id) }.select { sale in
        (
            all.over(order: sale.amount.ascending, frame: frame),
            all.filter(where: sale.isPaid.isTrue).over(order: sale.amount.ascending, frame: frame)
        )
    }
    let texts = try connection.all(counts).map { all, paid in "\(all)/\(paid)" }
    printLine(name + ":", texts.joined(separator: " "))
}
