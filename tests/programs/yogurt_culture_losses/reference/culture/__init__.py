from .batches import fermentations
from .losses import AcidityLoss, curve_distance
from .model import build
