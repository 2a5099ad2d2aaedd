STATUS = 3

if __name__ == "__main__":
    raise SystemExit(STATUS)
