import NIOCore

/// The end of a connection's pipeline: sends what its ``RequestMachine`` decides, and gives it what is received.
///
/// It is used on the event loop of its channel only.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    private var machine: RequestMachine<Waiter>
    private var reader: MessageReader
    private var context: ChannelHandlerContext?
    /// The buffer of requests. Its storage is used again when the last request has been written.
    private var output = ByteBuffer()
    /// Whether a read was held back, because received rows wait for their reader.
    private var holdsRead = false
    private var timer: Scheduled<Void>?
    private var timerDeadline: NIODeadline?

    init(settings: RequestMachine<Waiter>.Settings, messageLimit: Int) {
        machine = RequestMachine(settings: settings)
        reader = MessageReader(limit: messageLimit)
    }

    // Requests.

    func submit(_ job: Job<Waiter>) {
        if job.waiter.isCancelled { return job.waiter.resume(with: .failure(CancellationError())) }
        machine.submit(job)
        performActions()
    }

    func requestRows(_ waiter: Waiter, deadline: NIODeadline) {
        if waiter.isCancelled {
            waiter.resume(with: .failure(CancellationError()))
            return close()
        }
        machine.requestRows(waiter, deadline: deadline)
        performActions()
    }

    func abandonRows() {
        machine.abandonRows(now: .now())
        performActions()
    }

    func cancel(_ waiter: Waiter) {
        machine.cancel(waiter)
        performActions()
    }

    func close(_ error: ClusterError = .closed) {
        machine.close(error)
        performActions()
    }

    // The channel.

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        close()
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        output.clear()
        output.writeWord(Request.protocolVersion)
        context.writeAndFlush(wrapOutboundOut(output), promise: nil)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        close(.connectionLost(reason: "the node closed it", mayHaveRun: false))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        close(.connectionLost(reason: "\(error)", mayHaveRun: false))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        reader.append(unwrapInboundIn(data))
        do {
            while let message = try reader.next() { machine.receive(message) }
            performActions()
        } catch {
            close(.malformed(error))
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if machine.awaitsRows { ImmediateAcknowledgement.send(on: context.channel) }
        machine.deliverRows()
        performActions()
    }

    func read(context: ChannelHandlerContext) {
        if machine.wantsRead { context.read() } else { holdsRead = true }
    }

    private func performActions() {
        while let action = machine.takeAction() {
            switch action {
            case .send(let request):
                output.clear()
                request.encode(into: &output)
                context?.writeAndFlush(wrapOutboundOut(output), promise: nil)
            case .resume(let waiter, let result):
                waiter.resume(with: result)
            case .close:
                timer?.cancel()
                context?.close(promise: nil)
            }
        }
        if holdsRead, machine.wantsRead {
            holdsRead = false
            context?.read()
        }
        scheduleTimer()
    }

    /// Schedules the end of late jobs. A timer that comes too early is left, so that most requests schedule none.
    private func scheduleTimer() {
        guard let deadline = machine.nextDeadline, let context else { return }
        if let timerDeadline, timerDeadline <= deadline { return }
        timer?.cancel()
        timerDeadline = deadline
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
            timerDeadline = nil
            machine.endLateJobs(now: .now())
            performActions()
        }
    }
}
