"""Yaw control of a small wind farm with a Gaussian wake model."""
from .layout import load_farm
from .steering import YawPlan
from .wakes import deficit, overlap
