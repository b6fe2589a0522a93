/* Tell who wins a position of Tabik on a board of at most four by four: `_endings.py` in C, with the same results.

   It is compiled at first use where there is a compiler, and is never needed. Squares are numbered row after row,
   edges as they are given. Sets are bits. */

#include <stdint.h>
#include <stdlib.h>

enum { MOST_SQUARES = 16, MOST_EDGES = 24, MOST_VIEWS = 8, KINDS = 3, MOST_TURNS = 2 * MOST_EDGES };
enum { BLACK, WHITE };
enum { EARLY = 7 };                     /* rods: earlier positions are searched as the first of their views */
enum { SLOTS = 4 };                     /* of the table, in which a position may be kept */
enum { ASK = 1 << 16 };                 /* positions between two questions whether to stop */

typedef int (*Stopped)(uint64_t);

typedef struct {
    int edges, views;
    int lower[MOST_EDGES], higher[MOST_EDGES];
    uint32_t beside[MOST_SQUARES];      /* the squares beside each */
    uint8_t square_in[MOST_VIEWS][MOST_SQUARES], edge_in[MOST_VIEWS][MOST_EDGES];
    uint64_t *table;
    uint64_t mask;                      /* of the numbers of buckets */
    uint32_t success[2][KINDS * MOST_EDGES];  /* by the colour on turn: how often a turn has won */
    uint64_t seen;
    Stopped stopped;
    int has_stopped;
} Search;

typedef struct {
    uint32_t black, white, rods;
    int number;
} Turn;

/* The table: what is known of positions. A new one is the first in its bucket, and the last one there is forgotten. */

static uint64_t key_of(int mover, uint32_t black, uint32_t white, uint32_t rods) {
    return (uint64_t)black | (uint64_t)white << 16 | (uint64_t)rods << 32 | (uint64_t)mover << 56;
}

static uint64_t *bucket_of(Search *search, uint64_t key) {
    uint64_t mixed = key * 0x9E3779B97F4A7C15u;
    return search->table + ((mixed ^ mixed >> 29) & search->mask) * SLOTS;
}

static int recall(Search *search, uint64_t key) {
    uint64_t *bucket = bucket_of(search, key);
    for (int slot = 0; slot < SLOTS; slot++)
        if (bucket[slot] >> 2 == key && bucket[slot] & 2) return (int)(bucket[slot] & 1);
    return -1;
}

static void keep(Search *search, uint64_t key, int won) {
    uint64_t *bucket = bucket_of(search, key);
    for (int slot = SLOTS - 1; slot > 0; slot--) bucket[slot] = bucket[slot - 1];
    bucket[0] = key << 2 | 2 | (uint64_t)won;
}

/* Positions */

static int bits_in(uint32_t set) {
    int count = 0;
    for (; set; set &= set - 1) count++;
    return count;
}

static uint32_t seen_from(const uint8_t *numbers, uint32_t set) {
    uint32_t seen = 0;
    for (int member = 0; set; member++, set >>= 1)
        if (set & 1) seen |= 1u << numbers[member];
    return seen;
}

static void take_first_view(Search *search, uint32_t *black, uint32_t *white, uint32_t *rods) {
    uint32_t own[3] = {*black, *white, *rods};
    uint64_t first = key_of(0, *black, *white, *rods);
    for (int view = 0; view < search->views; view++) {
        uint32_t of_black = seen_from(search->square_in[view], own[0]);
        uint32_t of_white = seen_from(search->square_in[view], own[1]);
        uint32_t of_rods = seen_from(search->edge_in[view], own[2]);
        uint64_t key = key_of(0, of_black, of_white, of_rods);
        if (key < first) {
            first = key;
            *black = of_black, *white = of_white, *rods = of_rods;
        }
    }
}

static void count_groups(Search *search, uint32_t stones, int *by_size) {
    while (stones) {
        uint32_t group = stones & -stones, edge = group;
        while (edge) {
            uint32_t reached = 0;
            for (int square = 0; square < MOST_SQUARES; square++)
                if (edge >> square & 1) reached |= search->beside[square];
            edge = reached & stones & ~group;
            group |= edge;
        }
        by_size[bits_in(group)]++;
        stones &= ~group;
    }
}

/* Whether Black has won where no turn is left (rule 7). */
static int has_won_black(Search *search, int mover, uint32_t black, uint32_t white) {
    int of_black[MOST_SQUARES + 1] = {0}, of_white[MOST_SQUARES + 1] = {0};
    count_groups(search, black, of_black);
    count_groups(search, white, of_white);
    for (int size = MOST_SQUARES; size; size--)
        if (of_black[size] != of_white[size]) return of_black[size] > of_white[size];
    return mover == BLACK;
}

static int list_turns(Search *search, int mover, uint32_t black, uint32_t white, uint32_t rods, Turn *turns) {
    int count = 0;
    for (int edge = 0; edge < search->edges; edge++) {
        uint32_t low = 1u << search->lower[edge], high = 1u << search->higher[edge], rod = rods | 1u << edge;
        if (rods >> edge & 1) continue;
        if (!((black | white) & (low | high))) {
            turns[count++] = (Turn){black | low, white | high, rod, KINDS * edge};
            turns[count++] = (Turn){black | high, white | low, rod, KINDS * edge + 1};
        } else if ((black & low && white & high) || (black & high && white & low))
            turns[count++] = (Turn){black ^ (low | high), white ^ (low | high), rod, KINDS * edge + 2};
    }
    for (int place = 1; place < count; place++) {  /* the most successful one first */
        Turn turn = turns[place];
        int to = place;
        for (; to && search->success[mover][turns[to - 1].number] < search->success[mover][turn.number]; to--)
            turns[to] = turns[to - 1];
        turns[to] = turn;
    }
    return count;
}

static int wins_black(Search *search, int mover, uint32_t black, uint32_t white, uint32_t rods) {
    Turn turns[MOST_TURNS];
    int wanted = mover == BLACK, won = !wanted;
    if (bits_in(rods) <= EARLY) take_first_view(search, &black, &white, &rods);
    uint64_t key = key_of(mover, black, white, rods);
    int known = recall(search, key);
    if (known >= 0) return known;
    if (!(++search->seen % ASK) && search->stopped(search->seen)) search->has_stopped = 1;
    if (search->has_stopped) return 0;
    int count = list_turns(search, mover, black, white, rods, turns);
    for (int place = 0; place < count && won != wanted; place++)
        if (recall(search, key_of(!mover, turns[place].black, turns[place].white, turns[place].rods)) == wanted)
            won = wanted;
    for (int place = 0; place < count && won != wanted; place++) {
        Turn *turn = turns + place;
        int found = wins_black(search, !mover, turn->black, turn->white, turn->rods);
        if (search->has_stopped) return 0;
        if (found == wanted) {
            won = wanted;
            search->success[mover][turn->number]++;
        }
    }
    if (!count) won = has_won_black(search, mover, black, white);
    keep(search, key, won);
    return won;
}

/* What Python calls. `shape` has the number of squares, of edges and of views, the two squares of each edge, and for
   each view the squares and then the edges as they are seen. */

void *gnomon_tabik_begin(const int64_t *shape, int64_t bits) {
    Search *search = calloc(1, sizeof *search);
    int squares = (int)shape[0];
    if (!search) return 0;
    search->edges = (int)shape[1];
    search->views = (int)shape[2];
    search->mask = (1u << bits) - 1;
    search->table = calloc((size_t)SLOTS << bits, sizeof *search->table);
    if (!search->table) {
        free(search);
        return 0;
    }
    shape += 3;
    for (int edge = 0; edge < search->edges; edge++) {
        int lower = search->lower[edge] = (int)*shape++, higher = search->higher[edge] = (int)*shape++;
        search->beside[lower] |= 1u << higher;
        search->beside[higher] |= 1u << lower;
    }
    for (int view = 0; view < search->views; view++) {
        for (int square = 0; square < squares; square++) search->square_in[view][square] = (uint8_t)*shape++;
        for (int edge = 0; edge < search->edges; edge++) search->edge_in[view][edge] = (uint8_t)*shape++;
    }
    return search;
}

/* Whether Black wins, or -1 once it was stopped. */
int64_t gnomon_tabik_wins(void *of, int64_t mover, int64_t black, int64_t white, int64_t rods, Stopped stopped) {
    Search *search = of;
    search->stopped = stopped;
    search->has_stopped = 0;
    int won = wins_black(search, (int)mover, (uint32_t)black, (uint32_t)white, (uint32_t)rods);
    return search->has_stopped ? -1 : won;
}

int64_t gnomon_tabik_seen(void *of) { return (int64_t)((Search *)of)->seen; }

void gnomon_tabik_end(void *of) {
    free(((Search *)of)->table);
    free(of);
}
