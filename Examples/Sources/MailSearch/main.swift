import ExampleSupport

runExample(mailSearch)
