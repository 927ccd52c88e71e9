"""What an audit of plans finds, and counts."""

import numpy as np


class Findings:
    def __init__(self, path):
        self.path, self.faults, self.checked = path, 0, 0

    def near(self, what, stated, computed, tolerance):
        stated, computed = np.asarray(stated, dtype=float), np.asarray(computed, dtype=float)
        self.checked += stated.size
        if stated.shape != computed.shape or not np.all(np.abs(stated - computed) <= tolerance):
            self.faults += 1
            worst = np.abs(stated - computed).max() if stated.shape == computed.shape else "shapes"
            print(f"{self.path}: {what}: stated and computed differ by {worst}")

    def holds(self, what, condition):
        self.checked += 1
        if not condition:
            self.faults += 1
            print(f"{self.path}: {what}")
