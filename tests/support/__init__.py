"""What tests share: people, games, servers, clusters, processes and a clock."""
