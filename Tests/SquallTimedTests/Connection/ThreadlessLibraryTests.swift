#if os(Linux)
    import SquallTestSupport
    import Testing

    /// A process that runs on this library, which then reports that it was built with SQLITE_THREADSAFE=0.
    @Suite(.timeLimit(.minutes(10)))
    struct ThreadlessLibraryTests {
        @Test(.enabled(if: ExtensionCompiler.isThere && !Sanitizers.areInUse, "no C compiler, or a sanitizer"))
        func aLibraryWithoutThreadsIsRefused() throws {
            let compiler = try ExtensionCompiler()
            let library = try compiler.library("threadless", "int sqlite3_threadsafe(void) { return 0; }")
            let program = TestProcess.products.appending(path: "TestProcess").path
            let (output, code) = try TestProcess(path: "/usr/bin/env", ["LD_PRELOAD=\(library)", program, "open"]).end()
            #expect(code == 0)
            #expect(
                output
                    == "this SQLite was built without threads: link an SQLite that was built with SQLITE_THREADSAFE=1 or 2\n"
            )
        }
    }
#endif
