// The generic verbs of writing, as calls on an encoding.

extension BlockEncoding {
  func plan<Value>(_ input: BlockInput<Value>, unless knownByteCount: Int) -> BlockPlan<Value>? {
    run(Plan(knownByteCount: knownByteCount), input)
  }

  func patchRows<Value>(_ plan: BlockPlan<Value>, _ input: BlockInput<Value>) -> [UInt16] {
    run(PatchRows(plan: plan), input)
  }

  func isFaithful<Value>(_ block: EncodedBlock, _ plan: BlockPlan<Value>, _ input: BlockInput<Value>) -> Bool {
    run(IsFaithful(block: block, plan: plan), input)
  }
}

private struct Plan<Value: BlockValue>: CodecTask {
  let knownByteCount: Int

  func run<Codec: BlockCodec>(_ codec: Codec.Type, _ input: BlockInput<Value>) throws(Never) -> BlockPlan<Value>? {
    Codec.plan(input, unless: knownByteCount)
  }
}

private struct PatchRows<Value: BlockValue>: CodecTask {
  let plan: BlockPlan<Value>

  func run<Codec: BlockCodec>(_ codec: Codec.Type, _ input: BlockInput<Value>) throws(Never) -> [UInt16] {
    Codec.patchRows(plan, input)
  }
}

private struct IsFaithful<Value: BlockValue>: CodecTask {
  let block: EncodedBlock
  let plan: BlockPlan<Value>

  func run<Codec: BlockCodec>(_ codec: Codec.Type, _ input: BlockInput<Value>) throws(Never) -> Bool {
    Codec.isFaithful(block, plan, input)
  }
}
