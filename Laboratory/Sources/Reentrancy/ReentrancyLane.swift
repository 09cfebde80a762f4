import Foundation
import LaboratorySupport

/// `make reentrancy`: every public method in every situation.
///
/// - Without arguments: the lane. `SYMBOLS` is the folder of the symbol graphs of Squall and its annexes.
/// - `cells situation first stride folder`: a child, which runs cells.
/// - `list`: the names of all cells; `situations`: those of the situations.
/// - `impossible`: the cells that are left out, with the reasons.
@main
struct ReentrancyLane {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch arguments.first {
        case "cells": try runCells(Array(arguments.dropFirst()))
        case "situations":
            for situation in Situation.all { print(situation.name) }
        case "list":
            for cell in Situation.all.flatMap({ Cell.all(in: $0) }) { print(cell.description) }
        case "impossible":
            for line in ImpossibleCells.listing { print(line) }
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
        return try LaneRun(options).run(symbolGraphs: ProcessInfo.processInfo.environment["SYMBOLS"])
    }
}
