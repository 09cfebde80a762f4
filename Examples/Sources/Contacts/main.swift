import ExampleSupport

runExample(contacts)
