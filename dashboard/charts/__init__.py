"""From data to Plotly figures; nothing here reads the store or calls Streamlit."""
