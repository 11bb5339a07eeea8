"""The language of answers: the commands that players can write, and the sentences of our mails,
which must not read as commands."""
