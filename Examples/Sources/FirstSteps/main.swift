import ExampleSupport

runExample(firstSteps)
