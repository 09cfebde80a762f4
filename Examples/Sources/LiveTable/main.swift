// Lets two processes use one file: `swift run LiveTable`. The first prints a table each time that it changes; it starts the second,
// which writes a row every few milliseconds.

import ExampleSupport

if CommandLine.arguments.dropFirst().first == "writer" {
    try writeOrders()
} else {
    await runExample(showOrders)
}
