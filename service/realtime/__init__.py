"""Event streams and long polls: many clients wait, and none of them occupies a thread.

A view responds at once with the present state. If more may follow, it adds a `Deferral`
(`deferred.py`). The ASGI application runs the web application in its threads, and lets the client
wait on its event loop. When the topic changes (`pubsub.py`), it runs the same view
again with the same token. So a stream shows readers exactly what plain responses show, and it ends
once its token is revoked.
"""
