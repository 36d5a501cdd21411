from .calendar import load_seasons
from .phases import STAGES, chill, forcing
