"""LangMARL: multi-agent reinforcement learning in natural language.

Every agent is an LLM and its policy is the text of its prompt. A centralized critic reads whole episodes and says
which agent earned or lost the outcome; an optimizer turns that into language gradients and rewrites each prompt.

Importing this package reads a ``.env`` file in the working directory; real environment variables win, and
``LANGMARL_NO_DOTENV=1`` turns it off.
"""
