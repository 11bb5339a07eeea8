"""The pages around games: home, lists, new game, lobby, challenges, players."""
