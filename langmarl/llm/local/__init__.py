"""A real small language model in this process, served by llama.cpp."""
