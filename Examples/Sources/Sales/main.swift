import ExampleSupport

runExample(sales)
