"""GEST, and accuracy where the gender is said: classes and scores of sentences."""
