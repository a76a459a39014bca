"""Gender stereotype reinforcement, direct gaps, and agreement of lexicons."""
