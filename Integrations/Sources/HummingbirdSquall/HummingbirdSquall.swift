import Squall
