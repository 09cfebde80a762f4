import ExampleSupport

runExample(fileTables)
