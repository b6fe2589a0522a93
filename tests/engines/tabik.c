/* A UGI engine for Tabik on small boards that knows nothing of Gnomon: it plays a legal move by chance. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 8, EDGES = 2 * LARGEST * LARGEST };

static int size = 8, has_pie = 1;
static char stone[LARGEST * LARGEST]; /* 0, 'B' or 'W' */
static char rod[EDGES];               /* by its lower square and direction: 0 to the right, 1 upwards */
static int plies, swapped;
static char held[16];

static int neighbour(int at, int direction)
{
    int column = at % size, row = at / size;
    if (direction == 0)
        return column + 1 < size ? at + 1 : -1;
    return row + 1 < size ? at + size : -1;
}

static void begin(void)
{
    memset(stone, 0, sizeof stone);
    memset(rod, 0, sizeof rod);
    plies = swapped = 0;
}

static void name(char *text, int first, const char *between, int second)
{
    sprintf(text, "%c%d%s%c%d", 'a' + first % size, first / size + 1, between, 'a' + second % size, second / size + 1);
}

static int list(char moves[][16])
{
    int count = 0;
    for (int at = 0; at < size * size; at++)
        for (int direction = 0; direction < 2; direction++) {
            int other = neighbour(at, direction);
            if (other < 0 || rod[2 * at + direction])
                continue;
            if (!stone[at] && !stone[other]) {
                name(moves[count++], at, "", other);
                name(moves[count++], other, "", at);
            } else if (stone[at] && stone[other] && stone[at] != stone[other])
                name(moves[count++], at, "~", other);
        }
    if (has_pie && plies == 1)
        strcpy(moves[count++], "pie");
    return count;
}

static int play(const char *text)
{
    static char moves[2 * EDGES][16];
    int count = list(moves), found = 0;
    for (int number = 0; number < count; number++)
        found |= !strcmp(moves[number], text);
    if (!found)
        return 0;
    plies++;
    if (!strcmp(text, "pie")) {
        swapped = 1;
        return 1;
    }
    const char *second = text[2] == '~' ? text + 3 : text + 2;
    int one = text[0] - 'a' + (text[1] - '1') * size, other = second[0] - 'a' + (second[1] - '1') * size;
    int lower = one < other ? one : other, higher = one < other ? other : one;
    rod[2 * lower + (higher != lower + 1)] = 1;
    if (text[2] == '~') {
        char kept = stone[one];
        stone[one] = stone[other];
        stone[other] = kept;
    } else {
        stone[one] = 'B';
        stone[other] = 'W';
    }
    return 1;
}

static int group(int at, char colour, char *seen)
{
    int count = 1;
    seen[at] = 1;
    for (int other = 0; other < size * size; other++)
        for (int direction = 0; direction < 2; direction++)
            if ((neighbour(at, direction) == other || neighbour(other, direction) == at) && !seen[other]
                && stone[other] == colour)
                count += group(other, colour, seen);
    return count;
}

/* The person who began plays black until the pie, and white after it; a pie is a ply that changes no turn. */
static int first_acts(void)
{
    return plies % 2 == 0;
}

static const char *result(void)
{
    int lead[LARGEST * LARGEST + 1] = {0};
    char seen[LARGEST * LARGEST] = {0};
    for (int at = 0; at < size * size; at++)
        if (stone[at] && !seen[at])
            lead[group(at, stone[at], seen)] += stone[at] == 'B' ? 1 : -1;
    int black_wins = first_acts() ^ swapped; /* who did not make the last move, if nothing else decides */
    int score = 0;
    for (int number = size * size; number > 0 && !score; number--)
        score = lead[number];
    if (score)
        black_wins = score > 0;
    return black_wins ^ swapped ? "p1win" : "p2win";
}

static void choose(char *words)
{
    static char moves[2 * EDGES][16];
    int count = list(moves), kept = 0;
    char *asked = strstr(words, "searchmoves");
    if (!count) {
        strcpy(held, "0000");
        return;
    }
    for (int number = 0; asked && number < count; number++) {
        char *at = strstr(asked, moves[number]);
        if (at && (at[strlen(moves[number])] == ' ' || at[strlen(moves[number])] == 0))
            strcpy(moves[kept++], moves[number]);
    }
    strcpy(held, moves[rand() % (kept ? kept : count)]);
}

int main(void)
{
    static char line[1 << 16];
    static char moves[2 * EDGES][16];
    setvbuf(stdout, NULL, _IOLBF, 0);
    begin();
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        if (!strcmp(line, "ugi"))
            printf("id name Tabik in C\nid author a test\noption name size type spin default 8 min 2 max 8\n"
                   "option name pie type combo default yes var yes var no\nugiok\n");
        else if (!strcmp(line, "isready"))
            printf("readyok\n");
        else if (sscanf(line, "setoption name size value %d", &size) == 1)
            begin();
        else if (!strncmp(line, "setoption name pie value ", 25))
            has_pie = !strcmp(line + 25, "yes");
        else if (!strncmp(line, "position startpos", 17)) {
            begin();
            char *word = strtok(line + 17, " ");
            while (word && (!strcmp(word, "moves") || play(word)))
                word = strtok(NULL, " ");
        } else if (!strncmp(line, "go", 2)) {
            choose(line);
            if (!strstr(line, "infinite") && !strstr(line, "ponder")) {
                printf("info depth 1 score cp 0 nodes 1 pv %s\nbestmove %s\n", held, held);
                *held = 0;
            }
        } else if ((!strcmp(line, "stop") || !strcmp(line, "ponderhit")) && *held) {
            printf("bestmove %s\n", held);
            *held = 0;
        } else if (!strcmp(line, "query gameover"))
            printf("response %s\n", list(moves) ? "false" : "true");
        else if (!strcmp(line, "query p1turn"))
            printf("response %s\n", first_acts() ? "true" : "false");
        else if (!strcmp(line, "query result"))
            printf("response %s\n", list(moves) ? "none" : result());
        else if (!strcmp(line, "quit"))
            return 0;
    }
    return 0;
}
