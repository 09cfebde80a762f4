@_exported import Squall
