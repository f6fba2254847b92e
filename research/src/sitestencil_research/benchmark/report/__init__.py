"""Write the benchmark's report, one self-contained HTML page (optional dependencies: the extra ``report``)."""
