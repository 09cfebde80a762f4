import ExampleSupport

runExample(tableSources)
