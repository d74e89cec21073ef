import Quoin

// In the tutorials a ticker is a case of an enumeration, whose raw value is the symbol.

extension TickerSymbol {
  /// The symbol: `FDX`.
  public var rawValue: String { description }

  /// The ticker that a text spells; nil if it spells none.
  ///
  /// Every symbol is a ticker here, not only those of the tutorials' companies.
  public init?(rawValue: String) {
    guard let ticker = try? TickerSymbol(rawValue) else { return nil }
    self = ticker
  }

  /// The symbols of all 65 companies that the tutorials name.
  public static let allTickerSymbols: [String] = tutorialCompanies.map(\.rawValue)

  static let tutorialCompanies: [TickerSymbol] = [
    Agilent_Technologies, Aloca_Corporation, AAC_Holdings, Aarons_Incorporated, American_Assets_Trust,
    Advantage_Oil_And_Gas, Alliancebernstein_Holding_LP, Abbot_Laboratories, Ameren_Corporation, Alexanders,
    American_Express, Avnet, Arrow_Electronics, American_Tower, AutoZone, Barnes_Group, Big_Lots, Boeing_Company,
    Bunge_Ltd, Blackrock_Global, Barnes_And_Noble, Buckle_Inc, Burlington_Stores_Inc, Peabody_Energy_Corp,
    Citigroup_Incorporated, Comcast_Corp, Coeur_Mining_Inc, Celanese_Corp, China_Mobile_Hong_Kong_Ltd,
    Chesapeake_Energy_Corp, Chegg_Inc, Celadon_Group, Cloudera_Inc, Circor_International, Dominion_Resources,
    Delta_Airlines, Tableau_Software_Inc, Donaldson_Company, Dean_Foods_Companu, Dillards, Walt_Disney_Company,
    Dolby_Laboratories, Physicians_Realty_Trust, Dycom_Industries, Ellie_Mae_Inc, Estee_Lauder_Companies,
    Eastgroup_Properties, Energen_Corp, Ford_Motor_Company, Flagstar_Bancorp, Franklin_Covey_Company, Fedex_Corp,
    Futurefuel_Corp, First_Data_Corp, Ferro_Corp, General_Dynamics, Godaddy_Inc, Genesco_Inc, Guess_Inc,
    Goldman_Sachs_MLP_Energy, General_Mills, CGI_Group, Microsoft, Oracle, Hewlett_Packard,
  ]
}
