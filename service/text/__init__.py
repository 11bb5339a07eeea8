"""Boards, histories and options of games in words."""
