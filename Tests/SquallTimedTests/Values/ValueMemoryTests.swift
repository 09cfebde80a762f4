import Testing

/// Values for which SQLite has no memory when they are read. The limit is one of the process.
@Suite(.timeLimit(.minutes(10)))
struct ValueMemoryTests {
    @Test(arguments: ["text", "copy"])
    func aValueThatCannotBeConvertedOrCopiedIsAnErrorOfMemory(_ name: String) throws {
        let (output, code) = try TestProcess(["memory", name]).end()
        #expect(code == 0)
        #expect(output == "out of memory\n")
    }
}
