import ExampleSupport

runExample(members)
