#if os(Linux) || os(macOS)
    import Foundation
    import SquallTestSupport
    @testable import Squall
    import SquallSearch
    import SquallSQLite
    import Testing

    /// Extensions in libraries that the tests compile from C.
    @Suite(
        .enabled(if: ExtensionCompiler.isThere, "there is no C compiler `cc`"),
        .enabled(if: SQLiteFeatures.extensionLoading), .timeLimit(.minutes(10)))
    struct LoadExtensionTests {
        let connection: Connection
        let compiler: ExtensionCompiler

        init() throws {
            connection = try Connection(":memory:")
            compiler = try ExtensionCompiler()
        }

        @Test func anExtensionAddsItsFunctions() throws {
            let path = try compiler.library("half", ExtensionCompiler.half)
            try connection.loadExtension(path)
            #expect(try connection.query("SELECT half(7)") == 3.5)
        }

        @Test func theSuffixMayBeLeftOut() throws {
            let path = try compiler.library("half", ExtensionCompiler.half)
            try connection.loadExtension(String(path.dropLast(ExtensionCompiler.suffix.count)))
            #expect(try connection.query("SELECT half(3)") == 1.5)
        }

        @Test func theEntryPointCanBeNamed() throws {
            let path = try compiler.library("other", ExtensionCompiler.half)
            #expect(
                try errorKind { try connection.loadExtension(path) }
                    == .problem(ExtensionProblem.entryPoint, of: .file(path)))
            try connection.loadExtension(path, entryPoint: "sqlite3_half_init")
            #expect(try connection.query("SELECT half(5)") == 2.5)
        }

        @Test func loadingIsOnOnlyDuringTheCall() throws {
            let path = try compiler.library("half", ExtensionCompiler.half)
            for _ in 0..<2 {
                let error = try sqliteError { try connection.run("SELECT load_extension(?)", path) }
                #expect(error.message == "not authorized")
                try connection.loadExtension(path)
            }
            _ = try? connection.loadExtension("/nonexistent")
            #expect(throws: SQLiteError.self) { try connection.run("SELECT load_extension(?)", path) }
            var message: UnsafeMutablePointer<CChar>?
            defer { sqlite3_free(message) }
            let code = sqlite3_load_extension(connection.handle, path, nil, &message)
            #expect(code == SQLITE_ERROR)
            #expect(message.map { String(cString: $0) } == "not authorized")
        }

        /// The text of an attack calls the SQL function, whose use is refused even by an extension's own trigger.
        @Test func theSQLFunctionStaysOffWhileAnExtensionIsLoaded() throws {
            let path = try compiler.library("nested", ExtensionCompiler.nested)
            let error = try sqliteError { try connection.loadExtension(path, entryPoint: "sqlite3_nested_init") }
            #expect(error.message == "error during initialization: not authorized")
        }

        @Test func aMissingFileIsATypedError() throws {
            let path = compiler.directory.file("missing")
            let error = try sqliteError { try connection.loadExtension(path) }
            #expect(error.kind == .problem(ExtensionProblem.library, of: .file(path)))
            #expect(error.resultCode == .error)
            #expect(error.message.contains("missing"))
        }

        @Test func aFileThatIsNotALibraryIsATypedErrorAboutThatFile() throws {
            let path = compiler.directory.file("text" + ExtensionCompiler.suffix)
            try "not a library".write(toFile: path, atomically: true, encoding: .utf8)
            let error = try sqliteError { try connection.loadExtension(path) }
            #expect(error.kind == .problem(ExtensionProblem.library, of: .file(path)))
            #expect(error.message.hasPrefix("\(path): ") || error.message.contains("dlopen(\(path)"))
        }

        @Test func aLibraryWithoutEntryPointIsATypedError() throws {
            let path = try compiler.library("plain", "int plain(void) { return 1; }")
            let error = try sqliteError { try connection.loadExtension(path) }
            #expect(error.kind == .problem(ExtensionProblem.entryPoint, of: .file(path)))
            #expect(error.message.contains("sqlite3_plain_init"))
        }

        @Test func anExtensionThatFailsReportsItsMessage() throws {
            let path = try compiler.library("failing", ExtensionCompiler.failing)
            let error = try sqliteError { try connection.loadExtension(path) }
            #expect(error.kind == .problem(ExtensionProblem.initialization, of: .file(path)))
            #expect(error.message == "error during initialization: no licence")
        }

        /// SQLite closes the library, although the function that the extension has added is still there.
        @Test func aFunctionOfAnExtensionThatFailedLaterCanBeCalled() throws {
            let path = try compiler.library("failing", ExtensionCompiler.failing)
            #expect(throws: SQLiteError.self) { try connection.loadExtension(path) }
            #expect(try connection.query("SELECT half(9)") == 4.5)
        }

        @Test func aNulCharacterIsRefused() throws {
            #expect(try errorKind { try connection.loadExtension("a\0b") } == .nulCharacter(in: .path))
            #expect(
                try errorKind { try connection.loadExtension("a", entryPoint: "b\0c") }
                    == .nulCharacter(in: .entryPoint)
            )
        }

        @Test func aFunctionAndAHookCannotLoadAnExtension() throws {
            var kinds: [SQLiteError.Kind?] = []
            try connection.addFunction("f") { [unowned connection] () -> Int in
                do { try connection.loadExtension("vec0") } catch { kinds.append((error as? SQLiteError)?.kind) }
                return 1
            }
            try connection.run("SELECT f()")
            try connection.execute("CREATE TABLE t(a)")
            let token = connection.addUpdateObserver { [unowned connection] _, _, _, _ in
                do { try connection.loadExtension("vec0") } catch { kinds.append((error as? SQLiteError)?.kind) }
            }
            try connection.run("INSERT INTO t VALUES(1)")
            token.cancel()
            #expect(
                kinds == [
                    .problem(FunctionProblem.changedDuringCall(name: "vec0")), .hookReentrancy(hook: "update hook"),
                ])
        }

        @Test func aClosedConnectionCannotLoadAnExtension() throws {
            connection.close()
            #expect(try errorKind { try connection.loadExtension("vec0") } == .closed(.connection))
        }

        @Test func thePreparationOfADatabaseLoadsIntoEveryConnection() throws {
            let path = try compiler.library("half", ExtensionCompiler.half)
            let database = try Database(
                compiler.directory.file("a.db"), preparation: { try $0.loadExtension(path) })
            #expect(try database.blocking.read { try $0.query("SELECT half(1)") } == 0.5)
            #expect(try database.blocking.writeWithoutTransaction { try $0.query("SELECT half(3)") } == 1.5)
        }

        @Test(.enabled(if: ExtensionCompiler.vectorLibrary != nil, "SQUALL_VEC0 names no library vec0 of sqlite-vec"))
        func sqliteVecIsLoaded() throws {
            let path = try #require(ExtensionCompiler.vectorLibrary)
            let connection = try Connection(compiler.directory.file("a.db"))
            try connection.loadExtension(path)
            let version: String = try connection.query("SELECT vec_version()")
            #expect(version.hasPrefix("v"))
            try connection.execute("CREATE VIRTUAL TABLE notes USING vec0(embedding float[3])")
            let vectors: [[Float]] = [[1, 0, 0], [0, 1, 0], [0.9, 0.1, 0]]
            for (index, vector) in vectors.enumerated() {
                try connection.run("INSERT INTO notes(rowid, embedding) VALUES(\(index + 1), \(vector))")
            }
            let query: [Float] = [1, 0, 0]
            let nearest: [Int] = try connection.query(
                "SELECT rowid FROM notes WHERE embedding MATCH \(query) AND k = 2 ORDER BY distance")
            #expect(nearest == [1, 3])
            #expect(throws: SQLiteError.self) {
                try connection.run("INSERT INTO notes(rowid, embedding) VALUES(4, \([1, 2] as [Float]))")
            }
        }

        @Test(.enabled(if: ExtensionCompiler.vectorLibrary != nil, "SQUALL_VEC0 names no library vec0 of sqlite-vec"))
        func squallsDistancesAreThoseOfSQLiteVec() throws {
            let other = try Connection(":memory:")
            try other.loadExtension(try #require(ExtensionCompiler.vectorLibrary))
            try connection.addVectorFunctions()
            var generator = SeededGenerator(seed: 17)
            for count in [1, 3, 16, 100, 384] {
                let a = (0..<count).map { _ in Float.random(in: -1...1, using: &generator) }
                let b = (0..<count).map { _ in Float.random(in: -1...1, using: &generator) }
                for name in ["l2", "cosine"] {
                    let sql: SQL = "SELECT vec_distance_\(raw: name)(\(a), \(b))"
                    let (own, theirs): (Double, Double) = (try connection.query(sql), try other.query(sql))
                    #expect(abs(own - theirs) < 1e-5, "\(name), \(count) components, seed 17")
                }
            }
        }
    }
#endif
