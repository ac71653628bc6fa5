"""Asks questions with keys, one after the other, and prints the answers."""

import sys

from askback import Askback

round_number, questions = sys.argv[1], int(sys.argv[2])
ab = Askback(source="asker")
for number in range(questions):
    print(ab.ask(f"Question {round_number}-{number}?", int, key=f"{round_number}/{number}"), flush=True)
