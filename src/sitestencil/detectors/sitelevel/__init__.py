"""SiteLevel: parts that recur on many pages of a site are template (Chakrabarti, Kumar and Punera, 2007)."""
