import ExampleSupport

runExample(ledger)
