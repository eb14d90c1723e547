"""From pydantic models to forms: what each field is, how its value is shown, and what is wrong with it.

Nothing here draws; the Configure page does.
"""
