// The companies have a namespace of their own, so that the completion of `TickerSymbol.` isn't drowned in them. Swift finds
// `.fedEx` only among the type's own members; it doesn't look into a nested type, nor at dynamic members.

extension TickerSymbol {
  /// FedEx Corporation, the stock of Quoin's examples. `Company` has more.
  public static var fedEx: TickerSymbol { Company.fedEx }

  /// The companies of Quandl's WIKI that people look up most, under the symbols they had there. (WIKI ended in March 2018.)
  ///
  /// Any other symbol is a string literal away: `"XYZ"`.
  public enum Company {
    /// Abbott Laboratories.
    public static let abbott: TickerSymbol = "ABT"
    /// AbbVie Inc.
    public static let abbVie: TickerSymbol = "ABBV"
    /// Adobe Systems.
    public static let adobe: TickerSymbol = "ADBE"
    /// Aetna Inc.
    public static let aetna: TickerSymbol = "AET"
    /// Aflac Inc.
    public static let aflac: TickerSymbol = "AFL"
    /// Alcoa.
    public static let alcoa: TickerSymbol = "AA"
    /// The Allstate Corporation.
    public static let allstate: TickerSymbol = "ALL"
    /// Alphabet Inc. (Google), class A, with votes.
    public static let alphabetClassA: TickerSymbol = "GOOGL"
    /// Alphabet Inc. (Google), class C, without votes.
    public static let alphabetClassC: TickerSymbol = "GOOG"
    /// Altria Group, once Philip Morris.
    public static let altria: TickerSymbol = "MO"
    /// Amazon.com.
    public static let amazon: TickerSymbol = "AMZN"
    /// Advanced Micro Devices.
    public static let amd: TickerSymbol = "AMD"
    /// American Airlines Group.
    public static let americanAirlines: TickerSymbol = "AAL"
    /// American Express.
    public static let americanExpress: TickerSymbol = "AXP"
    /// American International Group.
    public static let americanInternationalGroup: TickerSymbol = "AIG"
    /// Amgen Inc.
    public static let amgen: TickerSymbol = "AMGN"
    /// Anadarko Petroleum.
    public static let anadarko: TickerSymbol = "APC"
    /// Apple Inc.
    public static let apple: TickerSymbol = "AAPL"
    /// Applied Materials.
    public static let appliedMaterials: TickerSymbol = "AMAT"
    /// Archer-Daniels-Midland.
    public static let archerDanielsMidland: TickerSymbol = "ADM"
    /// AT&T Inc.
    public static let att: TickerSymbol = "T"
    /// Autodesk Inc.
    public static let autodesk: TickerSymbol = "ADSK"
    /// Automatic Data Processing.
    public static let automaticDataProcessing: TickerSymbol = "ADP"
    /// Bank of America.
    public static let bankOfAmerica: TickerSymbol = "BAC"
    /// The Bank of New York Mellon.
    public static let bankOfNewYorkMellon: TickerSymbol = "BK"
    /// Berkshire Hathaway, class A.
    public static let berkshireHathawayA: TickerSymbol = "BRK_A"
    /// Berkshire Hathaway, class B.
    public static let berkshireHathawayB: TickerSymbol = "BRK_B"
    /// Best Buy.
    public static let bestBuy: TickerSymbol = "BBY"
    /// Biogen Inc.
    public static let biogen: TickerSymbol = "BIIB"
    /// BlackRock Inc.
    public static let blackRock: TickerSymbol = "BLK"
    /// The Boeing Company.
    public static let boeing: TickerSymbol = "BA"
    /// Bristol-Myers Squibb.
    public static let bristolMyersSquibb: TickerSymbol = "BMY"
    /// Brown-Forman, class B.
    public static let brownForman: TickerSymbol = "BF_B"
    /// Capital One Financial.
    public static let capitalOne: TickerSymbol = "COF"
    /// Carnival Corporation.
    public static let carnival: TickerSymbol = "CCL"
    /// Caterpillar Inc.
    public static let caterpillar: TickerSymbol = "CAT"
    /// Celgene Corporation.
    public static let celgene: TickerSymbol = "CELG"
    /// Charles Schwab Corporation.
    public static let charlesSchwab: TickerSymbol = "SCHW"
    /// Chevron Corporation.
    public static let chevron: TickerSymbol = "CVX"
    /// Chipotle Mexican Grill.
    public static let chipotle: TickerSymbol = "CMG"
    /// Cisco Systems.
    public static let cisco: TickerSymbol = "CSCO"
    /// Citigroup Inc.
    public static let citigroup: TickerSymbol = "C"
    /// The Coca-Cola Company.
    public static let cocaCola: TickerSymbol = "KO"
    /// Colgate-Palmolive.
    public static let colgatePalmolive: TickerSymbol = "CL"
    /// Comcast Corporation, class A.
    public static let comcast: TickerSymbol = "CMCSA"
    /// ConocoPhillips.
    public static let conocoPhillips: TickerSymbol = "COP"
    /// Corning Inc.
    public static let corning: TickerSymbol = "GLW"
    /// Costco Wholesale.
    public static let costco: TickerSymbol = "COST"
    /// CSX Corporation.
    public static let csx: TickerSymbol = "CSX"
    /// CVS Health.
    public static let cvsHealth: TickerSymbol = "CVS"
    /// Danaher Corporation.
    public static let danaher: TickerSymbol = "DHR"
    /// Deere & Company.
    public static let deere: TickerSymbol = "DE"
    /// Delta Air Lines.
    public static let deltaAirLines: TickerSymbol = "DAL"
    /// The Walt Disney Company.
    public static let disney: TickerSymbol = "DIS"
    /// Dominion Energy.
    public static let dominionEnergy: TickerSymbol = "D"
    /// DowDuPont Inc.
    public static let dowDuPont: TickerSymbol = "DWDP"
    /// Duke Energy.
    public static let dukeEnergy: TickerSymbol = "DUK"
    /// eBay Inc.
    public static let eBay: TickerSymbol = "EBAY"
    /// Electronic Arts.
    public static let electronicArts: TickerSymbol = "EA"
    /// Eli Lilly and Company.
    public static let eliLilly: TickerSymbol = "LLY"
    /// Emerson Electric.
    public static let emersonElectric: TickerSymbol = "EMR"
    /// Exelon Corporation.
    public static let exelon: TickerSymbol = "EXC"
    /// Expedia Inc.
    public static let expedia: TickerSymbol = "EXPE"
    /// Exxon Mobil.
    public static let exxonMobil: TickerSymbol = "XOM"
    /// Facebook Inc.
    public static let facebook: TickerSymbol = "FB"
    /// FedEx Corporation.
    public static let fedEx: TickerSymbol = "FDX"
    /// Ford Motor Company.
    public static let ford: TickerSymbol = "F"
    /// General Dynamics.
    public static let generalDynamics: TickerSymbol = "GD"
    /// General Electric.
    public static let generalElectric: TickerSymbol = "GE"
    /// General Mills.
    public static let generalMills: TickerSymbol = "GIS"
    /// General Motors.
    public static let generalMotors: TickerSymbol = "GM"
    /// Gilead Sciences.
    public static let gileadSciences: TickerSymbol = "GILD"
    /// Goldman Sachs Group.
    public static let goldmanSachs: TickerSymbol = "GS"
    /// Halliburton Company.
    public static let halliburton: TickerSymbol = "HAL"
    /// Harley-Davidson.
    public static let harleyDavidson: TickerSymbol = "HOG"
    /// The Hershey Company.
    public static let hershey: TickerSymbol = "HSY"
    /// Hewlett Packard Enterprise.
    public static let hewlettPackardEnterprise: TickerSymbol = "HPE"
    /// The Home Depot.
    public static let homeDepot: TickerSymbol = "HD"
    /// Honeywell International.
    public static let honeywell: TickerSymbol = "HON"
    /// HP Inc., once Hewlett-Packard.
    public static let hp: TickerSymbol = "HPQ"
    /// International Business Machines.
    public static let ibm: TickerSymbol = "IBM"
    /// Intel Corporation.
    public static let intel: TickerSymbol = "INTC"
    /// International Paper.
    public static let internationalPaper: TickerSymbol = "IP"
    /// Intuit Inc.
    public static let intuit: TickerSymbol = "INTU"
    /// Johnson & Johnson.
    public static let johnsonAndJohnson: TickerSymbol = "JNJ"
    /// JPMorgan Chase.
    public static let jpMorganChase: TickerSymbol = "JPM"
    /// Kellogg Company.
    public static let kellogg: TickerSymbol = "K"
    /// Kimberly-Clark.
    public static let kimberlyClark: TickerSymbol = "KMB"
    /// The Kraft Heinz Company.
    public static let kraftHeinz: TickerSymbol = "KHC"
    /// The Kroger Co.
    public static let kroger: TickerSymbol = "KR"
    /// Lockheed Martin.
    public static let lockheedMartin: TickerSymbol = "LMT"
    /// Lowe's Companies.
    public static let lowes: TickerSymbol = "LOW"
    /// Macy's Inc.
    public static let macys: TickerSymbol = "M"
    /// Marriott International, class A.
    public static let marriott: TickerSymbol = "MAR"
    /// Mastercard Inc., class A.
    public static let mastercard: TickerSymbol = "MA"
    /// McDonald's Corporation.
    public static let mcDonalds: TickerSymbol = "MCD"
    /// Medtronic.
    public static let medtronic: TickerSymbol = "MDT"
    /// Merck & Co.
    public static let merck: TickerSymbol = "MRK"
    /// MetLife Inc.
    public static let metLife: TickerSymbol = "MET"
    /// Micron Technology.
    public static let micron: TickerSymbol = "MU"
    /// Microsoft Corporation.
    public static let microsoft: TickerSymbol = "MSFT"
    /// Mondelez International, class A.
    public static let mondelez: TickerSymbol = "MDLZ"
    /// Morgan Stanley.
    public static let morganStanley: TickerSymbol = "MS"
    /// Netflix Inc.
    public static let netflix: TickerSymbol = "NFLX"
    /// Newmont Mining.
    public static let newmontMining: TickerSymbol = "NEM"
    /// Nike Inc., class B.
    public static let nike: TickerSymbol = "NKE"
    /// Northrop Grumman.
    public static let northropGrumman: TickerSymbol = "NOC"
    /// NVIDIA Corporation.
    public static let nvidia: TickerSymbol = "NVDA"
    /// Oracle Corporation.
    public static let oracle: TickerSymbol = "ORCL"
    /// PayPal Holdings.
    public static let payPal: TickerSymbol = "PYPL"
    /// PepsiCo Inc.
    public static let pepsiCo: TickerSymbol = "PEP"
    /// Pfizer Inc.
    public static let pfizer: TickerSymbol = "PFE"
    /// Philip Morris International.
    public static let philipMorrisInternational: TickerSymbol = "PM"
    /// The Priceline Group, later Booking Holdings.
    public static let priceline: TickerSymbol = "PCLN"
    /// Procter & Gamble.
    public static let procterAndGamble: TickerSymbol = "PG"
    /// Qualcomm Inc.
    public static let qualcomm: TickerSymbol = "QCOM"
    /// Raytheon Company.
    public static let raytheon: TickerSymbol = "RTN"
    /// Regeneron Pharmaceuticals.
    public static let regeneron: TickerSymbol = "REGN"
    /// Salesforce.com.
    public static let salesforce: TickerSymbol = "CRM"
    /// Schlumberger.
    public static let schlumberger: TickerSymbol = "SLB"
    /// Simon Property Group.
    public static let simonProperty: TickerSymbol = "SPG"
    /// The Southern Company.
    public static let southernCompany: TickerSymbol = "SO"
    /// Southwest Airlines.
    public static let southwestAirlines: TickerSymbol = "LUV"
    /// Sprint Corporation.
    public static let sprint: TickerSymbol = "S"
    /// Starbucks Corporation.
    public static let starbucks: TickerSymbol = "SBUX"
    /// Target Corporation.
    public static let target: TickerSymbol = "TGT"
    /// Tesla Inc., once Tesla Motors.
    public static let tesla: TickerSymbol = "TSLA"
    /// Texas Instruments.
    public static let texasInstruments: TickerSymbol = "TXN"
    /// Thermo Fisher Scientific.
    public static let thermoFisher: TickerSymbol = "TMO"
    /// Time Warner Inc.
    public static let timeWarner: TickerSymbol = "TWX"
    /// The Travelers Companies.
    public static let travelers: TickerSymbol = "TRV"
    /// Twenty-First Century Fox, class A.
    public static let twentyFirstCenturyFoxA: TickerSymbol = "FOXA"
    /// Twitter Inc.
    public static let twitter: TickerSymbol = "TWTR"
    /// Union Pacific Corporation.
    public static let unionPacific: TickerSymbol = "UNP"
    /// UnitedHealth Group.
    public static let unitedHealth: TickerSymbol = "UNH"
    /// United Parcel Service, class B.
    public static let unitedParcelService: TickerSymbol = "UPS"
    /// United Technologies.
    public static let unitedTechnologies: TickerSymbol = "UTX"
    /// U.S. Bancorp.
    public static let usBancorp: TickerSymbol = "USB"
    /// Valero Energy.
    public static let valero: TickerSymbol = "VLO"
    /// Verizon Communications.
    public static let verizon: TickerSymbol = "VZ"
    /// Visa Inc., class A.
    public static let visa: TickerSymbol = "V"
    /// Walgreens Boots Alliance.
    public static let walgreens: TickerSymbol = "WBA"
    /// Walmart Inc., once Wal-Mart Stores.
    public static let walmart: TickerSymbol = "WMT"
    /// Wells Fargo & Company.
    public static let wellsFargo: TickerSymbol = "WFC"
    /// Whirlpool Corporation.
    public static let whirlpool: TickerSymbol = "WHR"
    /// Wynn Resorts.
    public static let wynnResorts: TickerSymbol = "WYNN"
    /// Xerox Corporation.
    public static let xerox: TickerSymbol = "XRX"
    /// Yum! Brands.
    public static let yum: TickerSymbol = "YUM"
  }
}
