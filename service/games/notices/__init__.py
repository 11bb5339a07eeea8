"""The notices that a change causes, and the checks whether they can reach their players."""
