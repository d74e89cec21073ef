/// How a block's values become bytes. The raw value is part of the format; the order is that in which a writer tries them.
package enum BlockEncoding: UInt8, CaseIterable, Sendable {
  case constant = 0
  case runs = 5
  case derived = 4
  case daySet = 3
  case scaled = 1
  case plain = 2

  /// Runs a task with this encoding's codec. This is the only place that knows which type it is.
  @inline(__always)
  func run<Task: CodecTask>(_ task: Task, _ context: Task.Context) throws(Task.Failure) -> Task.Result {
    switch self {
    case .constant: try task.run(ConstantCodec.self, context)
    case .runs: try task.run(RunsCodec.self, context)
    case .derived: try task.run(DerivedCodec.self, context)
    case .daySet: try task.run(DaySetCodec.self, context)
    case .scaled: try task.run(ScaledCodec.self, context)
    case .plain: try task.run(PlainCodec.self, context)
    }
  }
}

/// Something to do with the codec of a block, whichever that is: a generic closure, which Swift doesn't have. The compiler
/// makes a version for each codec, so that nothing is dispatched inside a block.
///
/// The context is what a task needs besides plain bits, such as working memory. It is passed on, not stored: counting
/// references for every block took a tenth of the time of some scans.
protocol CodecTask<Result, Failure> {
  associatedtype Context
  associatedtype Result
  associatedtype Failure: Error
  func run<Codec: BlockCodec>(_ codec: Codec.Type, _ context: Context) throws(Failure) -> Result
}

extension BlockEncoding {
  /// The codec, for verbs that aren't generic.
  var codec: any BlockCodec.Type { run(CodecType(), ()) }

  /// Whether blocks that begin with this byte are computed from others.
  static func needsSource(_ firstByte: UInt8) -> Bool { BlockEncoding(rawValue: firstByte)?.codec.needsSource ?? false }

  /// Whether blocks have a list. A scan asks this for every block that it reads: the answers are constants, so it takes no jump.
  @inline(__always)
  var hasList: Bool { run(HasList(), ()) }
}

private struct CodecType: CodecTask {
  func run<Codec: BlockCodec>(_ codec: Codec.Type, _ context: Void) throws(Never) -> any BlockCodec.Type { codec }
}

private struct HasList: CodecTask {
  @inline(__always)
  func run<Codec: BlockCodec>(_ codec: Codec.Type, _ context: Void) throws(Never) -> Bool { Codec.hasList }
}
