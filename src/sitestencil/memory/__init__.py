"""What is remembered of sites: a person's corrections as rules, and templates learned from earlier pages."""
