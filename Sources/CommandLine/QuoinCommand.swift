import ArgumentParser
import Console
import Quoin
import QuoteGenerator

/// The command `quoin`, which consists of its subcommands.
@main
struct QuoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quoin",
    abstract: "A columnar store for daily stock quotes.",
    discussion: """
      Examples:
        quoin import data/FDX.json
        quoin scan FDX --where 'high > 80 and high < 83'
        quoin scan --where 'volume > 1e8' --from 2015-01-01 --count

      The store is a directory: the one given by --store, or the environment variable QUOIN_STORE, or ./quoin-store.

      Exit status: 0 success; 1 no rows (scan --exit-status), differences (diff), findings (check) or losses (repair); 2 data
      or I/O error, and no store has changed; 3 a change is made and its report can't be written, or it isn't known whether it
      is made; 64 wrong usage.

      Shell completions: quoin --generate-completion-script bash|zsh|fish
      """,
    version: Release.version,
    subcommands: Program.needed([
      ImportCommand.self, ScanCommand.self, ResampleCommand.self, JoinCommand.self, ChartCommand.self,
      TickersCommand.self, InfoCommand.self, PeriodsCommand.self, DescribeCommand.self,
      ExportCommand.self, DeleteCommand.self, GenerateCommand.self, VerifyCommand.self, RepairCommand.self,
      BackupCommand.self, PushCommand.self, PullCommand.self,
      CompactCommand.self, SnapshotCommand.self, UndoCommand.self, RestoreCommand.self, DiffCommand.self,
      RenameCommand.self, MergeCommand.self, ShardCommand.self, AdjustCommand.self, CheckCommand.self,
      FetchCommand.self, ServeCommand.self, SQLCommand.self,
    ]))

  static func main() { Program.run(Self.self) }
}

extension QuoteGeneratorError: WrongUsage {}
