import ExampleSupport

runExample(columnTypes)
