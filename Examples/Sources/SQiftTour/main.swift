// The chapters of SQift's README, from "Creating a Database Connection" to "Table Lock Policy", and "Backups". The code is
// that of the README, with Squall in place of SQift and the README's mistakes corrected. Each chapter starts in an empty
// folder.

import ExampleSupport

let chapters: [(title: String, code: () throws -> Void)] = [
    ("Creating a Database Connection", creatingADatabaseConnection),
    ("Executing Statements", executingStatements),
    ("Bindings", bindings),
    ("Binding Parameters to a Statement", bindingParametersToAStatement),
    ("Single Values", singleValues),
    ("Multiple Values", multipleValues),
    ("ExpressibleByRow Types", expressibleByRowTypes),
    ("Multiple Rows", multipleRows),
    ("Dates", dates),
    ("Custom Bindings", customBindings),
    ("Codable Bindings", codableBindings),
    ("Codable Collections", codableCollections),
    ("Transactions", transactions),
    ("Tracing", tracing),
    ("Collations", collations),
    ("Functions", functions),
    ("Values of functions", functionValues),
    ("Hooks", hooks),
    ("Checkpoints", checkpoints),
    ("Connection Queue", connectionQueue),
    ("Connection Pool", connectionPool),
    ("Database", database),
    ("Table Lock Policy", tableLockPolicy),
    ("Backups", backups),
]

for chapter in chapters {
    print("# \(chapter.title)")
    runExample(chapter.code)
    print()
}
