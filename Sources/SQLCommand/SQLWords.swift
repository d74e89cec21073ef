/// The words that the shell knows.
enum SQLWords {
  static let commands = [".tables", ".columns", ".read", ".timer", ".format", ".help", ".quit"]

  /// Those of statements that ask, and of tables of one's own.
  static let keywords = """
    select from where group by having order limit offset distinct all as and or not in is null between like glob exists case when then \
    else end cast collate nocase asc desc nulls first last join left inner outer cross full right natural on using union intersect except \
    values with recursive over partition rows range preceding following current row filter window create temp table view virtual insert \
    into update set delete drop alter index primary key unique default check references attach detach database explain query plan pragma \
    analyze begin commit rollback integer real text blob
    """.split(separator: " ").map(String.init)
}
