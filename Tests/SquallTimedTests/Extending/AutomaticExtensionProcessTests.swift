import Testing

/// Extensions that are linked into the program, in processes of their own: their failures are those of all connections of a process.
@Suite(.timeLimit(.minutes(10)))
struct AutomaticExtensionProcessTests {
    @Test func anExtensionThatFailsPreventsOpening() throws {
        let result = try TestProcess(["failing-extension"]).end()
        #expect(result.output == "automatic extension loading failed: no licence: :memory: (1)\n42\n")
        #expect(result.code == 0)
    }

    @Test func threadsRegisterAndOpenAtTheSameTime() throws {
        let result = try TestProcess(["extension-threads"]).end()
        #expect(result.output == "done\n")
        #expect(result.code == 0)
    }
}
