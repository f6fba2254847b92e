"""What a template is good for: finding duplicates, clustering and classifying pages without it.

The measurements of Chakrabarti et al. (sections 6.2 and 6.3) and of Geraci and Maggini (section 3.2).
"""
