"""One module a page: what it shows. Only here is Streamlit called to draw."""
