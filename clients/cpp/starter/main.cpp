#include "my_bot.h"
#include "ohhell/run.h"

int main(int argc, char** argv) { ohhell::run<MyBot>(argc, argv); }
