"""What the tests are worth: the share of small faults in the program that they notice."""
