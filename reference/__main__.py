"""`python -m reference` writes docs/reference; `make docs` runs it too."""

from reference.pages import write

if __name__ == "__main__":
    for path in write():
        print(f"wrote {path}")
