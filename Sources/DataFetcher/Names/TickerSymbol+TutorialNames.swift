import Quoin

// The tutorials' spelling, which isn't always the companies' own.

// swift-format-ignore: AlwaysUseLowerCamelCase
extension TickerSymbol {
  /// Agilent Technologies.
  public static let Agilent_Technologies: TickerSymbol = "A"
  /// Alcoa.
  public static let Aloca_Corporation: TickerSymbol = "AA"
  /// AAC Holdings.
  public static let AAC_Holdings: TickerSymbol = "AAC"
  /// Aaron's.
  public static let Aarons_Incorporated: TickerSymbol = "AAN"
  /// American Assets Trust.
  public static let American_Assets_Trust: TickerSymbol = "AAT"
  /// Advantage Oil & Gas.
  public static let Advantage_Oil_And_Gas: TickerSymbol = "AAV"
  /// AllianceBernstein Holding.
  public static let Alliancebernstein_Holding_LP: TickerSymbol = "AB"
  /// Abbott Laboratories.
  public static let Abbot_Laboratories: TickerSymbol = "ABT"
  /// Ameren Corporation.
  public static let Ameren_Corporation: TickerSymbol = "AEE"
  /// Alexander's.
  public static let Alexanders: TickerSymbol = "ALX"
  /// American Express.
  public static let American_Express: TickerSymbol = "AXP"
  /// Avnet.
  public static let Avnet: TickerSymbol = "AVT"
  /// Arrow Electronics.
  public static let Arrow_Electronics: TickerSymbol = "ARW"
  /// American Tower.
  public static let American_Tower: TickerSymbol = "AMT"
  /// AutoZone.
  public static let AutoZone: TickerSymbol = "AZO"
  /// Barnes Group.
  public static let Barnes_Group: TickerSymbol = "B"
  /// Big Lots.
  public static let Big_Lots: TickerSymbol = "BIG"
  /// The Boeing Company.
  public static let Boeing_Company: TickerSymbol = "BA"
  /// Bunge Limited.
  public static let Bunge_Ltd: TickerSymbol = "BG"
  /// BlackRock Floating Rate Income Trust.
  public static let Blackrock_Global: TickerSymbol = "BGT"
  /// Barnes & Noble.
  public static let Barnes_And_Noble: TickerSymbol = "BKS"
  /// The Buckle.
  public static let Buckle_Inc: TickerSymbol = "BKE"
  /// Burlington Stores.
  public static let Burlington_Stores_Inc: TickerSymbol = "BURL"
  /// Peabody Energy.
  public static let Peabody_Energy_Corp: TickerSymbol = "BTU"
  /// Citigroup.
  public static let Citigroup_Incorporated: TickerSymbol = "C"
  /// Notes of Comcast.
  public static let Comcast_Corp: TickerSymbol = "CCV"
  /// Coeur Mining.
  public static let Coeur_Mining_Inc: TickerSymbol = "CDE"
  /// Celanese.
  public static let Celanese_Corp: TickerSymbol = "CE"
  /// China Mobile.
  public static let China_Mobile_Hong_Kong_Ltd: TickerSymbol = "CHL"
  /// Chesapeake Energy.
  public static let Chesapeake_Energy_Corp: TickerSymbol = "CHK"
  /// Chegg.
  public static let Chegg_Inc: TickerSymbol = "CHGG"
  /// Celadon Group.
  public static let Celadon_Group: TickerSymbol = "CGI"
  /// Cloudera.
  public static let Cloudera_Inc: TickerSymbol = "CLDR"
  /// CIRCOR International.
  public static let Circor_International: TickerSymbol = "CIR"
  /// Dominion Resources.
  public static let Dominion_Resources: TickerSymbol = "D"
  /// Delta Air Lines.
  public static let Delta_Airlines: TickerSymbol = "DAL"
  /// Tableau Software.
  public static let Tableau_Software_Inc: TickerSymbol = "DATA"
  /// Donaldson Company.
  public static let Donaldson_Company: TickerSymbol = "DCI"
  /// Dean Foods.
  public static let Dean_Foods_Companu: TickerSymbol = "DF"
  /// Dillard's.
  public static let Dillards: TickerSymbol = "DDS"
  /// The Walt Disney Company.
  public static let Walt_Disney_Company: TickerSymbol = "DIS"
  /// Dolby Laboratories.
  public static let Dolby_Laboratories: TickerSymbol = "DLB"
  /// Physicians Realty Trust.
  public static let Physicians_Realty_Trust: TickerSymbol = "DOC"
  /// Dycom Industries.
  public static let Dycom_Industries: TickerSymbol = "DY"
  /// Ellie Mae.
  public static let Ellie_Mae_Inc: TickerSymbol = "ELLI"
  /// The Estee Lauder Companies.
  public static let Estee_Lauder_Companies: TickerSymbol = "EL"
  /// EastGroup Properties.
  public static let Eastgroup_Properties: TickerSymbol = "EGP"
  /// Energen.
  public static let Energen_Corp: TickerSymbol = "EGN"
  /// Ford Motor Company.
  public static let Ford_Motor_Company: TickerSymbol = "F"
  /// Flagstar Bancorp.
  public static let Flagstar_Bancorp: TickerSymbol = "FBC"
  /// Franklin Covey.
  public static let Franklin_Covey_Company: TickerSymbol = "FC"
  /// FedEx Corporation.
  public static let Fedex_Corp: TickerSymbol = "FDX"
  /// FutureFuel.
  public static let Futurefuel_Corp: TickerSymbol = "FF"
  /// First Data.
  public static let First_Data_Corp: TickerSymbol = "FDC"
  /// Ferro.
  public static let Ferro_Corp: TickerSymbol = "FOE"
  /// General Dynamics.
  public static let General_Dynamics: TickerSymbol = "GD"
  /// GoDaddy.
  public static let Godaddy_Inc: TickerSymbol = "GDDY"
  /// Genesco.
  public static let Genesco_Inc: TickerSymbol = "GCO"
  /// Guess.
  public static let Guess_Inc: TickerSymbol = "GES"
  /// Goldman Sachs MLP and Energy Renaissance Fund.
  public static let Goldman_Sachs_MLP_Energy: TickerSymbol = "GER"
  /// General Mills.
  public static let General_Mills: TickerSymbol = "GIS"
  /// CGI Group.
  public static let CGI_Group: TickerSymbol = "GIB"
  /// Microsoft.
  public static let Microsoft: TickerSymbol = "MSFT"
  /// Oracle.
  public static let Oracle: TickerSymbol = "ORCL"
  /// HP, once Hewlett-Packard.
  public static let Hewlett_Packard: TickerSymbol = "HPQ"
}
