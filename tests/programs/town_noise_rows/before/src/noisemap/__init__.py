"""Road noise at house fronts."""
from .levels import *
