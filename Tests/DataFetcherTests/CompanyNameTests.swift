import DataFetcher
import Testing

/// The tutorials' companies, as they spell them.
@Suite struct CompanyNameTests {
  private static let companies: [(TickerSymbol, String)] = [
    (.Agilent_Technologies, "A"), (.Aloca_Corporation, "AA"), (.AAC_Holdings, "AAC"), (.Aarons_Incorporated, "AAN"),
    (.American_Assets_Trust, "AAT"), (.Advantage_Oil_And_Gas, "AAV"), (.Alliancebernstein_Holding_LP, "AB"),
    (.Abbot_Laboratories, "ABT"), (.Ameren_Corporation, "AEE"), (.Alexanders, "ALX"), (.American_Express, "AXP"),
    (.Avnet, "AVT"), (.Arrow_Electronics, "ARW"), (.American_Tower, "AMT"), (.AutoZone, "AZO"), (.Barnes_Group, "B"),
    (.Big_Lots, "BIG"), (.Boeing_Company, "BA"), (.Bunge_Ltd, "BG"), (.Blackrock_Global, "BGT"),
    (.Barnes_And_Noble, "BKS"), (.Buckle_Inc, "BKE"), (.Burlington_Stores_Inc, "BURL"),
    (.Peabody_Energy_Corp, "BTU"), (.Citigroup_Incorporated, "C"), (.Comcast_Corp, "CCV"),
    (.Coeur_Mining_Inc, "CDE"), (.Celanese_Corp, "CE"), (.China_Mobile_Hong_Kong_Ltd, "CHL"),
    (.Chesapeake_Energy_Corp, "CHK"), (.Chegg_Inc, "CHGG"), (.Celadon_Group, "CGI"), (.Cloudera_Inc, "CLDR"),
    (.Circor_International, "CIR"), (.Dominion_Resources, "D"), (.Delta_Airlines, "DAL"),
    (.Tableau_Software_Inc, "DATA"), (.Donaldson_Company, "DCI"), (.Dean_Foods_Companu, "DF"), (.Dillards, "DDS"),
    (.Walt_Disney_Company, "DIS"), (.Dolby_Laboratories, "DLB"), (.Physicians_Realty_Trust, "DOC"),
    (.Dycom_Industries, "DY"), (.Ellie_Mae_Inc, "ELLI"), (.Estee_Lauder_Companies, "EL"),
    (.Eastgroup_Properties, "EGP"), (.Energen_Corp, "EGN"), (.Ford_Motor_Company, "F"), (.Flagstar_Bancorp, "FBC"),
    (.Franklin_Covey_Company, "FC"), (.Fedex_Corp, "FDX"), (.Futurefuel_Corp, "FF"), (.First_Data_Corp, "FDC"),
    (.Ferro_Corp, "FOE"), (.General_Dynamics, "GD"), (.Godaddy_Inc, "GDDY"), (.Genesco_Inc, "GCO"),
    (.Guess_Inc, "GES"), (.Goldman_Sachs_MLP_Energy, "GER"), (.General_Mills, "GIS"), (.CGI_Group, "GIB"),
    (.Microsoft, "MSFT"), (.Oracle, "ORCL"), (.Hewlett_Packard, "HPQ"),
  ]

  @Test func each_of_the_65_names_is_a_symbol_and_each_symbol_a_ticker() {
    #expect(Self.companies.count == 65 && Set(Self.companies.map(\.1)).count == 65)
    for (ticker, symbol) in Self.companies {
      #expect(ticker.rawValue == symbol && TickerSymbol(rawValue: symbol) == ticker)
    }
    #expect(TickerSymbol.allTickerSymbols == Self.companies.map(\.1))
    #expect(TickerSymbol.Fedex_Corp == .fedEx)
  }

  @Test func other_symbols_are_tickers_too_and_other_texts_are_none() {
    #expect(TickerSymbol(rawValue: "xyz.b")?.rawValue == "XYZ.B")
    for text in ["", " ", "A,B", "..", "é", String(repeating: "A", count: 33)] {
      #expect(TickerSymbol(rawValue: text) == nil, "\(text)")
    }
  }

  @Test func a_symbol_can_be_switched_over_and_listed() {
    func name(_ ticker: TickerSymbol) -> String {
      switch ticker {
      case .Dean_Foods_Companu: "Dean Foods"
      case .Aloca_Corporation: "Alcoa"
      default: "another"
      }
    }
    #expect(
      ["DF", "AA", "FDX"].compactMap { TickerSymbol(rawValue: $0) }.map(name) == ["Dean Foods", "Alcoa", "another"])
  }
}
