"""Boards, histories and options of games as text."""
