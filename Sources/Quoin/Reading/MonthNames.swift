/// The names of months in the languages of files of quotes, each by its whole word: in English, German, French, Spanish, Italian,
/// Portuguese, Dutch, Swedish, Danish and Norwegian.
enum MonthNames {
  /// The number of the month that a word names, in any case and with a point behind it or not; nil if it names none.
  static func number(of word: some Sequence<UInt8>) -> Int? {
    var name = String(decoding: Array(word), as: UTF8.self).lowercased()
    if name.hasSuffix(".") { name.removeLast() }
    return numbers[name]
  }

  /// Long enough for any name.
  static let byteCountMax = 16

  private static let numbers: [String: Int] = {
    var numbers: [String: Int] = [:]
    for (index, names) in names.enumerated() {
      for name in names.split(separator: " ") { numbers[String(name)] = index + 1 }
    }
    return numbers
  }()

  /// A line for each month.
  static let names = [
    "jan january januar jänner jän januari janvier janv enero ene gennaio gen janeiro",
    "feb february februar februari févr févr fév février fevrier fev febrero febbraio fevereiro",
    "mar march märz mär mrz mars marzo março marco maart mrt marts",
    "apr april avr avril abril abr aprile",
    "may mai mayo maggio mag maio mei maj",
    "jun june juni juin junio giugno giu junho",
    "jul july juli juil juillet julio luglio lug julho",
    "aug august août aout agosto ago augustus augusti",
    "sep sept september septembre septiembre settembre sett set setembro",
    "oct october oktober okt octobre octubre ottobre ott outubro out",
    "nov november novembre noviembre novembro",
    "dec december dezember dez décembre decembre déc diciembre dic dicembre dezembro desember des",
  ]
}
