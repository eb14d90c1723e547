"""``python -m langmarl``: the same as the ``langmarl`` command."""

from langmarl.cli import main

if __name__ == "__main__":
    main()
