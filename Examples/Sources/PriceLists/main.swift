// A head office and its branches: `swift run PriceLists`. The changes of a day are recorded, listed and applied elsewhere.

import ExampleSupport
import Foundation
import Squall
import SquallChanges

/// Writes changes to a file, and their inverse to another one, in parts of 4 kB.
func keep(_ changes: Changeset, inverseAt path: String) throws {
    try changes.data.write(to: URL(filePath: "day.changes"))
    let source = try FileHandle(forReadingFrom: URL(filePath: "day.changes"))
    let stream = ChangesetStream { try source.read(upToCount: 4096) }
    try Data().write(to: URL(filePath: path))
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try stream.invert { try file.write(contentsOf: $0) }
    try file.close()
}

runExample {
    let office = try Office()
    let (north, south) = (try Branch("north"), try Branch("south", isStrict: true))

    print("A day at the office:")
    let day = try office.workForADay()
    try printJournal(of: day)
    try keep(day, inverseAt: "day.undone")

    print("The north has made tea cheaper and counted its cups, and gets the changes of the office:")
    let own = try north.connection.recordChanges(in: "products") {
        try $0.run("UPDATE products SET price = 9 WHERE name = 'Tea'")
        try $0.run("UPDATE products SET stock = 1 WHERE name = 'Cups'")
    }
    try north.receive(day)
    try north.printPrices()
    print("What it has changed besides goes to the office:")
    let report = try north.report(own)
    try printJournal(of: report)
    try office.connection.apply(report)

    print("The south has done the same, and takes nothing that does not fit:")
    try south.connection.run("UPDATE products SET price = 9 WHERE name = 'Tea'")
    do {
        try south.receive(day)
    } catch ResultCode.abort {
        try south.printPrices()
    }

    print("The north goes back to the day before:")
    try north.takeBack(Changeset(Data(contentsOf: URL(filePath: "day.undone"))))
    try north.printPrices()

    print("New prices for all, whatever they are now:")
    try office.raisePrices(writingTo: "prices")
    for branch in [north, south] {
        try branch.receive(file: "day.changes")
        try branch.receive(file: "prices")
        try branch.printPrices()
    }
    let sale = try office.connection.recordPatchset(in: "products") {
        try $0.run("UPDATE products SET price = 1 WHERE name = 'Sugar'")
    }
    try north.receive(sale)
    try north.printPrices()
}
