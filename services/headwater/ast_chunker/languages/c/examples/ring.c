#include <stdio.h>
#include "ring.h"

#define RING_SIZE 16
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* A fixed ring of samples. */
struct ring {
    int samples[RING_SIZE];
    size_t head, tail;
    struct ring *next;
};

typedef struct ring ring_t;
typedef int (*ring_visitor)(const ring_t *ring, int sample);

typedef struct {
    double x;
    double y;
} point_t;

enum state { IDLE, BUSY = 2, DONE };

union word {
    unsigned int whole;
    unsigned char bytes[4];
};

static int opened = 0;
extern const char *ring_name;
int table[3] = {1, 2, 3};

int ring_pop(ring_t *ring, int *out);

// Puts one sample.
static inline int ring_push(ring_t *ring, int sample)
{
    size_t next = (ring->head + 1) % RING_SIZE;
    if (next == ring->tail) {
        goto full;
    }
    ring->samples[ring->head] = sample;
    ring->head = next;
    opened++;
    return 0;
full:
    fprintf(stderr, "full %s\n", ring_name);
    return -1;
}

/**
 * Visits all samples.
 */
int ring_each(const ring_t *ring, ring_visitor visit)
{
    enum state now = BUSY;
    struct ring copy = {.head = 0, .tail = 0};
    for (size_t i = ring->tail; i != ring->head; i = (i + 1) % RING_SIZE) {
        if (visit(ring, ring->samples[i]) != 0)
            break;
    }
    point_t origin = {0}, *where = &origin;
    where->x = MAX(origin.y, (double)copy.head);
    (void)sizeof(union word);
    return now == DONE ? 0 : ring_push(&copy, (int)where->x);
}

#ifdef RING_DEBUG
void ring_dump(ring_t *ring)
{
    printf("%zu\n", ring->head);
}
#endif
