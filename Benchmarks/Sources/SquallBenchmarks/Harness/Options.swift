/// The command line.
struct Options {
    enum Task {
        case measure
        case list
        case profile(row: String, side: Benchmark.Side, iterations: Int)
        case memory(Benchmark.Side)
        case hammer(seconds: Int)
        /// Writes for another process, with a pause in microseconds after each commit.
        case write(path: String, pause: UInt32)
        case growth(folder: String)
        case startUp(StartUp, Benchmark.Side, path: String)
        /// Compares the instructions of rows with those of a file.
        case instructions(path: String)
        /// Measures the rows of the file that the README shows.
        case published(path: String)
    }

    var task = Task.measure
    var rows: [String] = []
    var rounds = 9
    var clock = Clock.wall
    var showsVariants = false
    var folder: String?
    var countsMemory = true
    var holdsReads = true
    var isRecording = false
    var scale = 1

    static let usage = """
        usage: SquallBenchmarks [--rows name,name] [--rounds n] [--clock wall|cpu] [--all] [--files folder]
                                [--without-memory-statistics]
               SquallBenchmarks --list
               SquallBenchmarks --profile row c|held|squall|grdb iterations [--scale n] [--files folder]
               SquallBenchmarks --instructions file [--rows name,name] [--record] [--files folder]
               SquallBenchmarks --published file [--record] [--rounds n] [--files folder]
               SquallBenchmarks --memory c|squall|grdb [--files folder]
               SquallBenchmarks --growth folder [--rows panel,panel] [--rounds n] [--files folder]
               SquallBenchmarks --start-up connection|database c|squall|grdb file
               SquallBenchmarks --hammer seconds [--without-held-reads] [--files folder]
        """

    init(_ arguments: some Sequence<String>) throws {
        var arguments = arguments.makeIterator()
        func next(_ what: String) throws -> String {
            guard let argument = arguments.next() else { throw Failure("\(what) is missing\n\(Self.usage)") }
            return argument
        }
        func number(_ what: String) throws -> Int {
            guard let number = Int(try next(what)), number > 0 else { throw Failure("\(what) is a number from 1") }
            return number
        }
        func side() throws -> Benchmark.Side {
            guard let side = Benchmark.Side(rawValue: try next("the side")) else {
                throw Failure("a side is c, held, squall or grdb")
            }
            return side
        }
        while let argument = arguments.next() {
            switch argument {
            case "--rows": rows = try next("the names").split(separator: ",").map { String($0) }
            case "--rounds": rounds = try number("the number of rounds")
            case "--clock":
                guard let known = Clock(rawValue: try next("the clock")), known != .callgrind else {
                    throw Failure("a clock is wall or cpu")
                }
                clock = known
            case "--all": showsVariants = true
            case "--without-held-reads": holdsReads = false
            case "--without-memory-statistics": countsMemory = false
            case "--files": folder = try next("the folder")
            case "--list": task = .list
            case "--profile":
                task = .profile(row: try next("the row"), side: try side(), iterations: try number("iterations"))
            case "--instructions": task = .instructions(path: try next("the file of the instructions"))
            case "--published": task = .published(path: try next("the file of the ratios"))
            case "--scale": scale = try number("the scale")
            case "--record": isRecording = true
            case "--growth": task = .growth(folder: try next("the folder of the chart"))
            case "--start-up":
                guard let opened = StartUp(rawValue: try next("what to open")) else {
                    throw Failure("a process opens a connection or a database")
                }
                task = .startUp(opened, try side(), path: try next("the file"))
            case "--hammer": task = .hammer(seconds: try number("the number of seconds"))
            case "--write":
                task = .write(path: try next("the path"), pause: UInt32(try next("the pause")) ?? 0)
            case "--memory": task = .memory(try side())
            default: throw Failure("\(argument) is no option\n\(Self.usage)")
            }
        }
    }

    /// The rows that are asked for: by name, or all but the variants.
    func selection() throws -> [Benchmark] {
        if rows.isEmpty { return Benchmark.all.filter { showsVariants || !$0.isVariant } }
        return try rows.map { try Self.row($0) }
    }

    static func row(_ name: String) throws -> Benchmark {
        guard let row = Benchmark.all.first(where: { $0.name == name }) else {
            throw Failure("there is no row \(name); --list shows them")
        }
        return row
    }
}
