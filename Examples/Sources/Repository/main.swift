import ExampleSupport

runExample(repository)
