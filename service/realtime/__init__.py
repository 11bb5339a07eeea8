"""Streams and long polls: many clients wait, and no thread does.

A view answers what is known by now, at once. Where more may follow, it says so beside its answer
(`held`). The front, which runs the web application in its threads, then keeps the client waiting on
its event loop; when the log has moved (`hints`, `hub`) it asks the same view again, with the same
token. So a stream shows what the plain answers show, to the same readers, and one whose token is
revoked ends.
"""
