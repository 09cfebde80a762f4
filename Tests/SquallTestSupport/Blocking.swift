/// Runs a closure at once: a blocking verb compiles inside it, also in an asynchronous test.
package func blocking<Result>(_ body: () throws -> Result) rethrows -> Result {
    try body()
}
