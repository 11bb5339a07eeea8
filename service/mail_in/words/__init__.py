"""The words of answers: what players can write, and what our mails may say without being read."""
