"""SiteLevel: what recurs on many pages of a site (Chakrabarti, Kumar and Punera, 2007)."""
