"""Sets up a customer from one form of twelve fields, and writes it to a file: python batch.py CUSTOMER FILE

The form is one question in the inbox. Started again, the job gets the same answers without asking.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import sys
from datetime import date
from pathlib import Path
from typing import Annotated, List, Literal, Optional, Tuple

from askback import Askback, question


class Plan(enum.Enum):
    FREE = "Free"
    TEAM = "Team, 10 seats"
    COMPANY = "Company, no limit"


@dataclasses.dataclass
class Customer:
    name: Annotated[str, question("Legal name?", min_length=2, max_length=80)]
    contact: Annotated[str, question("Who is the contact?", placeholder="Name and e-mail address")]
    plan: Plan
    seats: Annotated[int, question("How many seats?", min=1, max=500)]
    discount: Annotated[float, question("Discount in percent?", min=0, max=50)]
    regions: Annotated[List[Literal["eu", "us", "ap"]], question("In which regions?")]
    start: Annotated[date, question("When does the contract start?")]
    trial: Annotated[Optional[Tuple[date, date]], question("Is there a trial, and when?")]
    invoice: Annotated[Literal["monthly", "yearly"], question("Invoices?")]
    has_contract: Annotated[bool, question("Is the contract signed?")]
    is_reference: Annotated[bool, question("May we name them as a customer?")]
    comment: Annotated[str, question("Anything else?")] = ""


def main(customer: str, file: str) -> None:
    ab = Askback(source="customer setup")
    given = ab.ask(f"New customer {customer}", Customer, key=f"customer/{customer}", expires_in="7d")
    Path(file).write_text(json.dumps(dataclasses.asdict(given), default=plain, indent=2) + "\n")
    print(f"wrote {file}")


def plain(value: object) -> str:
    return value.name if isinstance(value, enum.Enum) else str(value)


if __name__ == "__main__":
    main(*sys.argv[1:3])
