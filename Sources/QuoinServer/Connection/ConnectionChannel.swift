import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// A client's connection: HTTP/1.1 within the server's limits, over plain TCP or inside TLS.
struct ConnectionChannel: ServerChildChannel, HTTPChannelHandler {
  typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  let responder: HTTPChannelHandler.Responder
  let scheme: String
  let deadlines: Deadlines
  let connections: OpenConnections
  /// Called for malformed requests.
  let onMalformed: @Sendable (any Error) -> Void

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let watch = ConnectionWatch(deadlines, connections)
      try pipeline.addHandler(watch)
      try pipeline.configureHTTPServerPipeline(
        withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
        withEncoderConfiguration: Self.encoder, withDecoderLimitConfiguration: Self.decoderLimits)
      try pipeline.addHandler(HTTPCodec(watch, scheme: scheme, onMalformed: onMalformed))
      return try NIOAsyncChannel(
        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
    }
  }

  func handle(value: Value, logger: Logger) async {
    await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
      await handleHTTP(asyncChannel: value, logger: logger)
    }
  }

  /// `HTTPCodec` marks the end of an answer, because it knows the request.
  private static var encoder: HTTPResponseEncoder.Configuration {
    var configuration = HTTPResponseEncoder.Configuration()
    configuration.automaticallySetFramingHeaders = false
    return configuration
  }

  private static var decoderLimits: NIOHTTPDecoderLimitConfiguration {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = ServerLimits.parsedHeadByteCount
    limits.maxHeaderListSize = ServerLimits.parsedHeadByteCount
    limits.maxHeaderFieldCount = ServerLimits.headerCount
    return limits
  }
}
