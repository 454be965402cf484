import unittest

from visits import count_visits

MONDAY = ["192.0.2.1 08:00 /", "192.0.2.7 08:02 /news", "192.0.2.1 08:05 /"]
TUESDAY = ["192.0.2.9 09:30 /news"]


class CountVisits(unittest.TestCase):
    def test_logs_are_counted_apart(self):
        self.assertEqual(count_visits(MONDAY), {"/": 2, "/news": 1})
        self.assertEqual(count_visits(TUESDAY), {"/news": 1})

    def test_visits_are_added_to_given_totals(self):
        self.assertEqual(count_visits(TUESDAY, {"/news": 4}), {"/news": 5})

    def test_other_lines_are_left_out(self):
        self.assertEqual(count_visits(["# rotated", ""], {}), {})


if __name__ == "__main__":
    unittest.main()
