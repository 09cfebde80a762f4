// A shop lets strangers send SQL to its database: `swift run Sandbox`. An authorizer decides what a statement may do, limits and
// a budget of instructions decide how much.

import ExampleSupport

runExample {
    try createShop()
    try sendStrangeSQL()
    try exceedLimits()
    try endEndlessStatements()
    try browse()
    try usePlugin()
}
