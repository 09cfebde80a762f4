import Foundation
import LaboratorySupport

/// `make reentrancy`: every public method in every situation.
///
/// - Without arguments: the lane. `SYMBOLS` is the path of the symbol graph of Squall.
/// - `cells situation first stride folder`: a child, which runs cells.
/// - `list`: the names of all cells.
@main
struct ReentrancyLane {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch arguments.first {
        case "cells": try runCells(Array(arguments.dropFirst()))
        case "list":
            for cell in Situation.all.flatMap({ Cell.all(in: $0) }) { print(cell.description) }
        default: exit(try runLane())
        }
    }

    private static func runCells(_ arguments: [String]) throws {
        guard arguments.count == 4, let first = Int(arguments[1]), let stride = Int(arguments[2]) else {
            throw SceneError("usage: cells situation first stride folder")
        }
        try CellsChild.run(situation: arguments[0], first: first, stride: stride, in: arguments[3])
    }

    private static func runLane() throws -> Int32 {
        let options = LaneOptions()
        writeLine("seed \(options.seed)")
        let scratch = try ScratchFolder()
        var lane = Lane("reentrancy")
        let name = "every public method has a call"
        if let path = ProcessInfo.processInfo.environment["SYMBOLS"] {
            if options.includes(name) { lane.run(name) { try Coverage.check(PublicMethods(symbolGraph: path)) } }
        } else {
            lane.skip(name, because: "SYMBOLS does not name a symbol graph")
        }
        for situation in Situation.all where options.includes(situation.name) {
            let folder = try scratch.emptyFolder("cells")
            lane.run(situation.name) { try SituationRun(situation: situation, options: options, folder: folder).run() }
        }
        writeLine(lane.summary)
        return lane.exitStatus
    }
}
