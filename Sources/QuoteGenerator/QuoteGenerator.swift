import Quoin
