import ExampleSupport

runExample(typedContacts)
