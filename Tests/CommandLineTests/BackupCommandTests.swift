import Testing

struct BackupCommandTests {
  let workspace: Workspace

  init() throws { workspace = try Workspace(importing: ["FDX.json", "wiki-sample.csv"]) }

  @Test func a_backup_is_made_renewed_and_put_in_the_place_of_a_lost_store() throws {
    let first = try workspace.run("backup nightly")
    #expect(first.out.hasPrefix("Backed up '\(workspace.store)' into 'nightly': 1 new file of "))
    let day = try workspace.write("ticker,date,close\nN,2020-01-02,1\n", to: "day.csv")
    #expect(try workspace.run("import \(day)").status == 0)
    #expect(try workspace.run("backup nightly").out.contains(": 1 new file of "))
    #expect(try workspace.run("backup nightly").out.contains(": 0 new files of 0 bytes, 2 files of "))
    let rows = try workspace.run("export").out
    #expect(
      try workspace.shell("rm -r store && cp -r nightly store && $quoin verify && $quoin export").out.hasSuffix(rows))
    #expect(try workspace.run("delete AAPL").status == 0)
    #expect(try workspace.run("backup nightly").status == 0)
    try workspace.expectRefusal(
      of: "backup ./store", 2, "'./store' is a store by itself, and a backup would replace it; name another directory")
  }

  /// Backups that are killed, and copies by `cp`, beside a process that imports again and again.
  @Test func killed_backups_are_whole_and_copies_of_two_generations_are_refused() throws {
    let rounds = TestSettings.count(debug: 40, release: 100)
    let result = try workspace.shell(
      """
      ( i=0
        while [ ! -e stop ]; do
          i=$((i + 1))
          printf 'ticker,date,close\\nN,20%02d-01-%02d,%d\\n' $((i / 28 % 100)) $((i % 28 + 1)) $i > day.csv
          $quoin import day.csv > /dev/null 2>> writer.txt
        done ) &
      for round in $(seq \(rounds)); do
        $quoin backup nightly > /dev/null 2>&1 &
        backup=$!
        [ $((round % 3)) = 0 ] || { sleep 0.0$((round * 7 % 10)); kill -9 $backup 2> /dev/null; }
        wait $backup 2> /dev/null
        $quoin verify --store nightly > verdict.txt 2>&1 || cat verdict.txt
        rm -rf copy
        cp -r store copy 2> /dev/null
        if $quoin verify --store copy > verdict.txt 2>&1; then echo whole copy
        elif $quoin scan --count --store copy > count.txt 2>&1; then
            grep -q 'it is missing' verdict.txt && echo lacks a file || cat verdict.txt
        else grep -q "'copy/MANIFEST' .* it is missing" count.txt && echo lacks a file || cat count.txt
        fi
      done
      touch stop
      wait
      cat writer.txt
      """)
    var counts: [String: Int] = [:]
    for line in result.lines.map(String.init) { counts[line, default: 0] += 1 }
    let whole = counts.removeValue(forKey: "whole copy") ?? 0
    let sentence = counts.keys.first { $0.hasPrefix("quoin: 'copy' has files of two generations") }
    // `cp` has said which one, but of a manifest that is just being replaced: the folder's list may lack both.
    let lacking = counts.removeValue(forKey: "lacks a file") ?? 0
    let refused = sentence.flatMap { counts.removeValue(forKey: $0) } ?? 0
    // A first backup that was killed is an empty store.
    for line in counts.keys where line.hasPrefix("quoin: there is no store at 'nightly'") { counts[line] = nil }
    print(
      "promise 27: \(rounds) backups beside an import, two of three killed; copies by cp: \(whole) whole, \(refused) refused, "
        + "\(lacking) lack a file and say so"
    )
    #expect(counts.isEmpty && whole + refused + lacking == rounds, "\(counts)")
  }
}
