"""TournamentService: tournaments started and followed from outside."""

from __future__ import annotations

import grpc

from ohhell.v1 import tournaments_pb2, tournaments_pb2_grpc
from server.rpc.serving import Addition
from server.rpc.status import not_built

_NAME = tournaments_pb2.DESCRIPTOR.services_by_name["TournamentService"].full_name


class TournamentService(tournaments_pb2_grpc.TournamentServiceServicer):
    """Every method answers that it is not built, in a form that a client can read."""

    CreateTournament = not_built("TournamentService.CreateTournament")
    GetTournament = not_built("TournamentService.GetTournament")
    ListTournaments = not_built("TournamentService.ListTournaments")
    CancelTournament = not_built("TournamentService.CancelTournament")
    GetStandings = not_built("TournamentService.GetStandings")
    WatchTournament = not_built("TournamentService.WatchTournament")


def _add(server: grpc.aio.Server) -> None:
    tournaments_pb2_grpc.add_TournamentServiceServicer_to_server(
        TournamentService(), server
    )


TOURNAMENTS = Addition(_NAME, _add)
"""What a listener needs to serve it."""
