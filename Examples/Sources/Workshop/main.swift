// Changes the schema of a file, with its rows: `swift run Workshop`. A history of versions, and a plan that is made by comparing.

import ExampleSupport

runExample {
    try runHistory()
    try openFilesOfOtherPrograms()
    try watchLongMigration()
    try comparePlans()
    try findDrift()
    try migrateLikeSQift()
}
