import Quoin

extension QuoteQuery { func threads(_ count: Int) -> QuoteQuery { self } }
