"""The offline model: a rule-based program behind an OpenAI-compatible interface. It is not a language model.

It exists so that everything around a model (requests, parsing, retries, usage, learning) can be tried and tested with
no network and no key. Its actors do what their policies tell them, by rules that are documented in
``docs/offline-model.md``; its critic looks for the agent that lost the answer; its optimizer turns the critic's words
into instructions.

* ``model``: from a request's body to a reply; a pure function.
* ``transport``: the model as an HTTP transport inside this process.
* ``server``: the model over HTTP, with latency and faults to order.
* ``instructions``: reading policies. ``tasks``: what it can do.
"""
