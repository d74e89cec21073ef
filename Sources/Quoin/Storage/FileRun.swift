/// Neighboring blocks of one ticker in a column file, in order of days. Only messages and repair use it; a store reads the
/// manifest.
struct FileRun: Equatable, Sendable {
  static let byteCount = Limits.tickerByteCount + 8

  let ticker: TickerSymbol
  let firstBlock: Int
  let blockCount: Int

  init(ticker: TickerSymbol, firstBlock: Int, blockCount: Int) {
    self.ticker = ticker
    self.firstBlock = firstBlock
    self.blockCount = blockCount
  }

  init(_ reader: inout ByteReader, blockCount fileBlockCount: Int) throws(Damage) {
    let start = reader.offset
    ticker = try TickerSymbol(&reader)
    firstBlock = Int(try reader.read(UInt32.self))
    blockCount = Int(try reader.read(UInt32.self))
    guard blockCount > 0, firstBlock + blockCount <= fileBlockCount else {
      throw Damage(offset: start, "a run of blocks reaches past the last block")
    }
  }

  func append(to bytes: inout [UInt8]) {
    ticker.append(to: &bytes)
    bytes.append(littleEndian: UInt32(firstBlock))
    bytes.append(littleEndian: UInt32(blockCount))
  }
}

extension TickerSymbol {
  init(_ reader: inout ByteReader) throws(Damage) {
    let start = reader.offset
    // Text, not numbers: the first byte is the highest of its word.
    func word() throws(Damage) -> UInt64 { try reader.read(UInt64.self).byteSwapped }
    guard let ticker = TickerSymbol(stored: (try word(), try word(), try word(), try word())) else {
      throw Damage(offset: start, "no ticker symbol")
    }
    self = ticker
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(littleEndian: words.0.byteSwapped)
    bytes.append(littleEndian: words.1.byteSwapped)
    bytes.append(littleEndian: words.2.byteSwapped)
    bytes.append(littleEndian: words.3.byteSwapped)
  }
}
