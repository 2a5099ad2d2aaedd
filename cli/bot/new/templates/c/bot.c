/* Bids as low as it may and plays its lowest card. One line in, one line out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 65536, LONGEST_VALUE = 1024, MOST_CARDS = 64 };

/* Copies what the line has under a key; text comes without its quotes. */
static void value(const char *line, const char *key, char *out)
{
    char start[64];
    snprintf(start, sizeof start, "\"%s\":", key);
    const char *at = strstr(line, start);
    size_t length = 0;
    if (at != NULL) {
        at += strlen(start);
        const char *end = *at == '"' ? "\"" : ",}\n";
        at += *at == '"';
        length = strcspn(at, end);
        if (length >= LONGEST_VALUE)
            length = LONGEST_VALUE - 1;
        memcpy(out, at, length);
    }
    out[length] = '\0';
}

static const char *ranks;

static int place(const char *order, char letter)
{
    const char *at = strchr(order, letter);
    return at == NULL ? 0 : (int)(at - order);
}

/* By the rank order of the table, then by suit. Jesters (F) are below, jokers (X) and
   wizards (W) above all others. */
static int weight(const char *card)
{
    switch (card[0]) {
    case 'F': return card[1] - '0';
    case 'X': return 9000 + card[1];
    case 'W': return 9100 + card[1];
    default: return 100 + 100 * place(ranks, card[0]) + place("CDHS", card[1]);
    }
}

static int by_weight(const void *a, const void *b)
{
    return weight(*(char *const *)a) - weight(*(char *const *)b);
}

/* Cuts text at its spaces. */
static int words(char *text, char *found[])
{
    int count = 0;
    for (char *word = strtok(text, " "); word && count < MOST_CARDS;
         word = strtok(NULL, " "))
        found[count++] = word;
    return count;
}

/* The suit of which the hand has most cards, the first of equals. */
static const char *longest(char *suits[], int count, const char *hand)
{
    const char *best = suits[0];
    int most = -1;
    for (int i = 0; i < count; i++) {
        int held = 0;
        for (const char *c = hand; c[0] && c[1]; c += c[2] ? 3 : 2)
            held += c[1] == suits[i][0];
        if (held > most) {
            most = held;
            best = suits[i];
        }
    }
    return best;
}

int main(void)
{
    static char line[LONGEST_LINE];
    char ask[LONGEST_VALUE], id[LONGEST_VALUE], legal[LONGEST_VALUE];
    char hand[LONGEST_VALUE], order[LONGEST_VALUE];
    char *options[MOST_CARDS];

    while (fgets(line, sizeof line, stdin) != NULL) {
        value(line, "ask", ask);
        if (ask[0] == '\0')
            continue; /* it tells something, and wants no answer */
        value(line, "id", id);
        value(line, "legal", legal);
        value(line, "hand", hand);
        value(line, "ranks", order);
        ranks = order;
        int count = words(legal, options);
        if (count == 0)
            continue;
        if (strcmp(ask, "play") == 0 || strcmp(ask, "lay") == 0)
            qsort(options, (size_t)count, sizeof *options, by_weight);
        if (strcmp(ask, "lay") == 0 && count >= 3)
            printf("{\"id\":\"%s\",\"lay\":\"%s %s %s\"}\n", id, options[0], options[1],
                   options[2]);
        else
            /* A joker that needs a call is called low unless "call" says otherwise. */
            printf("{\"id\":\"%s\",\"%s\":\"%s\"}\n", id, ask,
                   strcmp(ask, "trump") == 0 ? longest(options, count, hand)
                                             : options[0]);
        fflush(stdout);
    }
    return EXIT_SUCCESS;
}
