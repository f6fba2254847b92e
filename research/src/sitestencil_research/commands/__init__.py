"""The commands of research: benchmark, tune, train, duplicates, cluster, classify, segments."""
