// The generic verbs of writing, as calls on an encoding.

extension BlockEncoding {
  func plan<Value>(_ input: BlockInput<Value>, unless knownByteCount: Int) -> BlockPlan<Value>? {
    run(Plan(input: input, knownByteCount: knownByteCount))
  }

  func patchRows<Value>(_ plan: BlockPlan<Value>, _ input: BlockInput<Value>) -> [UInt16] {
    run(PatchRows(plan: plan, input: input))
  }

  func write<Value>(_ plan: BlockPlan<Value>, _ input: BlockInput<Value>, to payload: UnsafeMutableRawBufferPointer) {
    unsafe run(Write(plan: plan, input: input, payload: payload))
  }

  func isFaithful<Value>(_ block: EncodedBlock, _ plan: BlockPlan<Value>, _ input: BlockInput<Value>) -> Bool {
    run(IsFaithful(block: block, plan: plan, input: input))
  }
}

private struct Plan<Value: BlockValue>: CodecTask {
  let input: BlockInput<Value>
  let knownByteCount: Int

  func run<Codec: BlockCodec>(_ codec: Codec.Type) throws(Never) -> BlockPlan<Value>? {
    Codec.plan(input, unless: knownByteCount)
  }
}

private struct PatchRows<Value: BlockValue>: CodecTask {
  let plan: BlockPlan<Value>
  let input: BlockInput<Value>

  func run<Codec: BlockCodec>(_ codec: Codec.Type) throws(Never) -> [UInt16] { Codec.patchRows(plan, input) }
}

// Sound: the payload's memory outlives the call that the task is made for.
@safe
private struct Write<Value: BlockValue>: CodecTask {
  let plan: BlockPlan<Value>
  let input: BlockInput<Value>
  let payload: UnsafeMutableRawBufferPointer

  func run<Codec: BlockCodec>(_ codec: Codec.Type) throws(Never) { unsafe Codec.write(plan, input, to: payload) }
}

private struct IsFaithful<Value: BlockValue>: CodecTask {
  let block: EncodedBlock
  let plan: BlockPlan<Value>
  let input: BlockInput<Value>

  func run<Codec: BlockCodec>(_ codec: Codec.Type) throws(Never) -> Bool { Codec.isFaithful(block, plan, input) }
}
