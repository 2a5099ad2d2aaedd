"""The process between the runner and its bots: standard library only.

It runs outside the application's packages (`python -I -S`), so nothing in here may
import anything that does not ship with Python. `root` is the process, `keeper` what
it forks for each bot.
"""
