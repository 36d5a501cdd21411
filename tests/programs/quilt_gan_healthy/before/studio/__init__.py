from .features import moments, moments_np
from .patterns import patches
from .players import Critic, Maker
