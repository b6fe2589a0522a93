/* Sweep once over one class of positions of the game of twenty squares: `_sweep.py` in C, with the same results.

   It is compiled at first use where there is a compiler, and is never needed. Every sum is taken in the same order as
   in Python, and no multiplication is fused with an addition: the values are equal to the last bit. */

#include <math.h>
#include <stdint.h>

enum { SHARED = 2 };                                     /* a kind of steps */
enum { ILLEGAL, OPPOSITE, OWN, WON, EARLIER };           /* where an answer leads to */
enum { MOST_STEPS = 32, MOST_WIDTH = 15, MOST_THROWS = 8, COUNTS = 16 };

typedef struct {
    int leads_to;
    int64_t stride;          /* between two columns, where the successor is numbered for the other player */
    const int32_t *captured; /* by column, the column after a capture, or -1 where it is barred; NULL: as before */
    const double *values;    /* the successor's block, in a layer that is being solved */
    const uint32_t *solved;  /* the same, in one that is solved */
} Answer;

static const double BARRED = -1;                         /* less than any value: there is no answer */

static uint16_t rank_of[1 << MOST_WIDTH];                /* among the masks with as many bits, in numerical order */
static uint16_t masks_of[1 << MOST_WIDTH];               /* all masks, by the number of bits, then in numerical order */
static int32_t first_of[MOST_WIDTH + 2];
static int32_t choose[MOST_WIDTH + 1][MOST_WIDTH + 2];
static int ready;

static int bits_in(uint32_t mask) {
    int count = 0;
    for (; mask; mask &= mask - 1) count++;
    return count;
}

static void prepare(void) {
    int32_t seen[MOST_WIDTH + 2] = {0};
    if (ready) return;
    for (int n = 0; n <= MOST_WIDTH; n++) {
        choose[n][0] = 1;
        for (int k = 1; k <= MOST_WIDTH + 1; k++) choose[n][k] = n ? choose[n - 1][k - 1] + choose[n - 1][k] : 0;
    }
    for (int k = 0; k <= MOST_WIDTH; k++) first_of[k + 1] = first_of[k] + choose[MOST_WIDTH][k];
    for (uint32_t mask = 0; mask < 1u << MOST_WIDTH; mask++) {
        int count = bits_in(mask);
        rank_of[mask] = (uint16_t)seen[count];
        masks_of[first_of[count] + seen[count]++] = (uint16_t)mask;
    }
    ready = 1;
}

/* The number of a configuration of the shared row among those with as many counters of each. */
static int64_t number_of(uint32_t mine, uint32_t theirs, int width, int mine_count, int theirs_count) {
    uint32_t squeezed = 0;
    for (uint32_t left = theirs; left; left &= left - 1) {
        uint32_t bit = left & -left;
        squeezed |= bit >> bits_in(mine & (bit - 1));
    }
    return (int64_t)rank_of[mine] * choose[width - mine_count][theirs_count] + rank_of[squeezed];
}

/* `shape`: last step, width of the shared row, number of throws, gate, auto, stacks; counters not home of the mover and
   of the other, shared squares held by both; then for each step from 0 to `last`: kind, bit, rosette; then the throws.
   `counts`: how many rests there are with so many shared squares held, for the mover, for the mover with one more
   counter home, and for the other; rows are the mover's, columns the other's. `bases`: where each class begins in the
   layer of the mover, in that of the other, and in that of the other once the mover has one more counter home.
   `moves` and `captures`: the tables of `_moves.py`. `space`: room for three rows. Returns the greatest change. */
double gnomon_sweep(const int64_t *shape, const int64_t *counts, const double *weights, const int64_t *bases,
                    const int32_t *moves, const int32_t *captures, double *space, double *own,
                    const double *opposite, const uint32_t *earlier) {
    const int last = (int)shape[0], width = (int)shape[1], throws = (int)shape[2];
    const int gate = (int)shape[3], automatic = (int)shape[4], stacks = (int)shape[5];
    const int a = (int)shape[6], k = (int)shape[8], l = (int)shape[9];
    const int64_t *steps = shape + 10, *numbers = steps + 3 * (last + 1);
    const int64_t *own_base = bases, *opposite_base = bases + COUNTS * COUNTS, *earlier_base = bases + 2 * COUNTS * COUNTS;
    const int64_t *home_counts = counts + COUNTS, *others_counts = counts + 2 * COUNTS;
    const int64_t rows = counts[k], columns = others_counts[l];
    const int slot = 1 + throws; /* numbers in the table for each step with counters */
    int kind[MOST_STEPS], bit[MOST_STEPS], rosette[MOST_STEPS], number[MOST_THROWS];
    double total = 0, change = 0;
    double *const value = space, *const entry = space + columns, *const best = space + 2 * columns;

    prepare();
    for (int step = 0; step <= last; step++) {
        kind[step] = (int)steps[3 * step];
        bit[step] = (int)(1 << steps[3 * step + 1]);
        rosette[step] = (int)steps[3 * step + 2];
    }
    for (int t = 0; t < throws; t++) number[t] = (int)numbers[t], total += weights[t];

    const int32_t theirs_many = choose[width - k][l];
    for (int32_t m = choose[width][k] - 1; m >= 0; m--) {
        const uint32_t mine = masks_of[first_of[k] + m];
        int free_bits[MOST_WIDTH], free_count = 0;
        for (int place = 0; place < width; place++)
            if (!(mine >> place & 1)) free_bits[free_count++] = 1 << place;
        for (int32_t n = theirs_many - 1; n >= 0; n--) {
            uint32_t theirs = 0;
            for (uint32_t left = masks_of[first_of[l] + n]; left; left &= left - 1)
                theirs |= (uint32_t)free_bits[bits_in((left & -left) - 1)];
            double *block = own + own_base[k * COUNTS + l] + ((int64_t)m * theirs_many + n) * rows * columns;
            const double *lost = opposite + opposite_base[l * COUNTS + k]
                               + number_of(theirs, mine, width, l, k) * columns * rows;
            Answer answers[2 * MOST_STEPS][MOST_THROWS]; /* by twice the step, and one more if its last counter leaves */
            for (int code = 0; code < 2 * (last + 1); code++) {
                const int step = code / 2, empties = code % 2;
                if (kind[step] == SHARED ? !(mine & (uint32_t)bit[step]) || (!empties && (!stacks || a == k)) : a == k)
                    continue;
                for (int t = 0; t < throws; t++) {
                    Answer *answer = &answers[code][t];
                    const int end = step + number[t];
                    uint32_t mine_after = mine, theirs_after = theirs;
                    int off = end > last, mine_count = k, theirs_count = l;
                    answer->leads_to = ILLEGAL;
                    if (!number[t] || end > last + 1) continue;
                    answer->captured = 0;
                    if (!off && kind[end] == SHARED) {
                        const uint32_t square = (uint32_t)bit[end];
                        if ((mine & square && !stacks) || (theirs & square && rosette[end])) continue;
                        if (theirs & square) {
                            if (stacks) answer->captured = captures + bits_in(theirs & (square - 1)) * columns;
                            theirs_after -= square, theirs_count--;
                        }
                        if (!(mine & square)) mine_after += square, mine_count++;
                    }
                    if (kind[step] == SHARED && empties) mine_after -= (uint32_t)bit[step], mine_count--;
                    answer->stride = off ? home_counts[mine_count] : counts[mine_count];
                    const int64_t size = answer->stride * others_counts[theirs_count];
                    if (off && a == 1) {
                        answer->leads_to = WON;
                    } else if (!off && rosette[end]) {
                        answer->leads_to = OWN;
                        answer->values = own + own_base[mine_count * COUNTS + theirs_count]
                                       + number_of(mine_after, theirs_after, width, mine_count, theirs_count) * size;
                    } else {
                        const int64_t place = number_of(theirs_after, mine_after, width, theirs_count, mine_count) * size;
                        const int class = theirs_count * COUNTS + mine_count;
                        answer->leads_to = off ? EARLIER : OPPOSITE;
                        if (off) answer->solved = earlier + earlier_base[class] + place;
                        else answer->values = opposite + opposite_base[class] + place;
                    }
                }
            }
            for (int64_t row = rows - 1; row >= 0; row--) {
                const int32_t *record = moves + ((int64_t)m * rows + row) * a * slot;
                const int hand = record[0] / 2 == 0;
                int entries = 0; /* whether `entry` is computed */
                for (int64_t j = 0; j < columns; j++) value[j] = 0;
                /* The second throw of rule 4 comes first, as throws of 1 and 5 may become it. */
                for (int t = hand && gate ? -throws : 0; t < throws; t++) {
                    const int entering = t < 0, throw = entering ? t + throws : t;
                    const int converts = !entering && hand && gate && (number[throw] == 1 || number[throw] == 5);
                    int found = 0; /* whether there is an answer in every column */
                    if (converts) {
                        for (int64_t j = 0; j < columns; j++) best[j] = entry[j];
                        found = 1;
                    } else {
                        for (int64_t j = 0; j < columns; j++) best[j] = BARRED;
                    }
                    const int begin = !entering && hand && gate, end = entering ? 1 : converts && automatic ? 0 : a;
                    for (int each = begin; each < end && record[each * slot] >= 0; each++) {
                        const Answer *answer = &answers[record[each * slot]][throw];
                        const int32_t at = record[each * slot + 1 + throw];
                        if (at < 0 || answer->leads_to == ILLEGAL) continue;
                        const int64_t stride = answer->stride;
                        if (!answer->captured) found = 1;
                        if (answer->captured) {
                            const double *from = answer->values + at;
                            for (int64_t j = 0; j < columns; j++) {
                                if (answer->captured[j] < 0) continue;
                                const double worth = 1.0 - from[answer->captured[j] * stride];
                                best[j] = worth > best[j] ? worth : best[j];
                            }
                        } else if (answer->leads_to == OPPOSITE) {
                            const double *from = answer->values + at;
                            for (int64_t j = 0; j < columns; j++, from += stride)
                                best[j] = 1.0 - *from > best[j] ? 1.0 - *from : best[j];
                        } else if (answer->leads_to == OWN) {
                            const double *from = answer->values + at * columns;
                            for (int64_t j = 0; j < columns; j++) best[j] = from[j] > best[j] ? from[j] : best[j];
                        } else if (answer->leads_to == EARLIER) {
                            const uint32_t *from = answer->solved + at;
                            for (int64_t j = 0; j < columns; j++, from += stride) {
                                const double worth = 1.0 - *from / 4294967295.0;
                                best[j] = worth > best[j] ? worth : best[j];
                            }
                        } else {
                            for (int64_t j = 0; j < columns; j++) best[j] = 1.0;
                        }
                    }
                    if (!found)
                        for (int64_t j = 0; j < columns; j++)
                            if (best[j] == BARRED) best[j] = 1.0 - lost[j * rows + row];
                    if (entering) {
                        if (!entries)
                            for (int64_t j = 0; j < columns; j++) entry[j] = 0;
                        entries = 1;
                        for (int64_t j = 0; j < columns; j++) entry[j] += weights[throw] * best[j];
                        if (throw == throws - 1)
                            for (int64_t j = 0; j < columns; j++) entry[j] /= total;
                    } else {
                        for (int64_t j = 0; j < columns; j++) value[j] += weights[throw] * best[j];
                    }
                }
                double *to = block + row * columns;
                for (int64_t j = 0; j < columns; j++) {
                    const double after = value[j] / total, step = fabs(after - to[j]);
                    if (step > change) change = step;
                    to[j] = after;
                }
            }
        }
    }
    return change;
}

/* Write the values of a solved layer in 32 bits. */
void gnomon_store(const double *values, uint32_t *solved, int64_t count) {
    for (int64_t n = 0; n < count; n++) solved[n] = (uint32_t)(values[n] * 4294967295.0 + 0.5);
}
