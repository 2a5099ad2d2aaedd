"""The house bots: reference opponents that anybody's bot can be measured against."""
