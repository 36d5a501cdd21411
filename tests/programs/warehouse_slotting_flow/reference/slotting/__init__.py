from .cost import CongestionCost, TravelCost
from .orders import order_book
