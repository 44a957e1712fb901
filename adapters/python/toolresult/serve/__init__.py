"""``toolresult serve``: a server that any client can be pointed at.

``application`` puts a server of the MCP SDK, and an A2A agent if there is one, behind one
port; ``example`` has tools that return every sample of the spec. It stands on what the extra
``toolresult[serve]`` brings, and nothing of it is imported before it is used.

docs: docs/serve.md
"""
