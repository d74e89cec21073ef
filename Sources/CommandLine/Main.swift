import ArgumentParser
import Quoin

@main struct Quoin: ParsableCommand { func run() { print(TickerSymbol.init(stringLiteral: "FDX")) } }
