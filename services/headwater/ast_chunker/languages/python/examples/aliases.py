"""Aliases of imports, and calls through them."""

import billing.invoices as inv
import os.path
from billing import invoices as inv2
from . import sibling
from .near import first, second as renamed


def total(customer: str, *rates: float, strict=False, **rest) -> float:
    """Sum what a customer owes. Rates multiply."""
    invoices = inv.load(customer)
    more = inv2.load(customer, strict=strict)
    if os.path.exists(customer):
        renamed(first, sibling.thing)
    return sum(rate * invoice.amount for rate in rates for invoice in invoices + more)
