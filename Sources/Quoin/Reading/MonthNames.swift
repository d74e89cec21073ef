/// The names of months in the languages of files of quotes, each by its whole word: in English, German, French, Spanish, Italian,
/// Portuguese, Dutch, Swedish, Danish, Norwegian, Russian and Turkish.
enum MonthNames {
  /// The number of the month that a word names, in any case and with a point behind it or not; nil if it names none.
  static func number(of word: some Sequence<UInt8>) -> Int? {
    var name = String(decoding: Array(word), as: UTF8.self).lowercased()
    if name.hasSuffix(".") { name.removeLast() }
    return numbers[name]
  }

  /// Long enough for any name.
  static let byteCountMax = 18

  private static let numbers: [String: Int] = {
    var numbers: [String: Int] = [:]
    for (index, names) in names.enumerated() {
      for name in names.split(separator: " ") { numbers[String(name)] = index + 1 }
    }
    return numbers
  }()

  /// A line for each month.
  static let names = [
    "jan january januar jänner jän januari janvier janv enero ene gennaio gen janeiro янв января январь oca ocak",
    "feb february februar februari févr févr fév février fevrier fev febrero febbraio fevereiro фев февраля февраль şub şubat",
    "mar march märz mär mrz mars marzo março marco maart mrt marts мар марта март mart",
    "apr april avr avril abril abr aprile апр апреля апрель nis nisan",
    "may mai mayo maggio mag maio mei maj май мая mayıs mayis",
    "jun june juni juin junio giugno giu junho июн июня июнь haz haziran",
    "jul july juli juil juillet julio luglio lug julho июл июля июль tem temmuz",
    "aug august août aout agosto ago augustus augusti авг августа август ağu ağustos",
    "sep sept september septembre septiembre settembre sett set setembro сен сентября сентябрь eyl eylül",
    "oct october oktober okt octobre octubre ottobre ott outubro out окт октября октябрь eki ekim",
    "nov november novembre noviembre novembro ноя ноября ноябрь kas kasım kasim",
    "dec december dezember dez décembre decembre déc diciembre dic dicembre dezembro desember des дек декабря декабрь ara aralık aralik",
  ]
}
