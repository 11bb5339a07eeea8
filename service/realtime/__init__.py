"""Event streams and long polls: many clients wait, and none of them occupies a thread.

A view answers at once with what is known. Where more may follow, it says so beside its answer
(`deferred.py`). The ASGI application, which runs the web application in its threads, then keeps the
client waiting on its event loop. When the topic changes (`pubsub.py`, `broker.py`) it runs the same
view again with the same token. So a stream shows the same readers what plain answers show them, and
it ends once its token is revoked.
"""
