from .agent import DoubleAgent
from .harbour import Pier
from .memory import Replay, summarise
