#include "workload.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

const char *const workload_words[WORD_COUNT] = {
    "time", "year", "people", "way", "day", "man", "thing", "woman", "life", "child", "world", "school", "state", "family",
    "student", "group", "country", "problem", "hand", "part", "place", "case", "week", "company", "system", "program",
    "question", "work", "government", "number", "night", "point", "home", "water", "room", "mother", "area", "money", "story",
    "fact", "month", "lot", "right", "study", "book", "eye", "job", "word", "business", "issue", "side", "kind", "head",
    "house", "service", "friend", "father", "power", "hour", "game", "line", "end", "member", "law", "car", "city", "community",
    "name", "president", "team", "minute", "idea", "kid", "body", "information", "back", "parent", "face", "others", "level",
    "office", "door", "health", "person", "art", "war", "history", "party", "result", "change", "morning", "reason", "research",
    "girl", "guy", "moment", "air", "teacher", "force", "education", "foot", "boy", "age", "policy", "everything", "process",
    "music", "market", "sense", "nation", "plan", "college", "interest", "death", "experience", "effect", "use", "class",
    "control", "care", "field", "development", "role", "effort", "rate", "heart", "drug", "show", "leader", "light", "voice",
    "wife", "whole", "police", "mind", "price", "report", "decision", "son", "view", "relationship", "town", "road", "arm",
    "difference", "value", "building", "action", "season", "society", "tax", "director", "position", "player", "record",
    "paper", "space", "ground", "form", "event", "official", "matter", "center", "couple", "site", "project", "activity",
    "star", "table", "need", "court", "oil", "situation", "cost", "industry", "figure", "street", "image", "phone", "data",
    "picture", "practice", "piece", "land", "product", "doctor", "wall", "patient", "worker", "news", "test", "movie", "north",
    "love", "support", "technology", "step", "baby", "computer", "type", "attention", "film", "tree", "source", "organization",
    "hair", "look", "window", "culture", "chance", "brother", "energy", "period", "course", "summer", "plant", "opportunity",
    "term", "letter", "condition", "choice", "rule", "daughter", "south", "husband", "congress", "floor", "campaign",
    "material", "population", "call", "economy", "hospital", "church", "risk", "fire", "future", "bank", "garden", "river",
    "bridge", "island", "mountain", "forest", "valley", "harbor", "winter", "spring", "autumn", "engine", "ticket", "corner",
    "silver", "planet", "canvas", "basket",
};

const char workload_letters[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static const uint64_t golden_gamma = 0x9E3779B97F4A7C15;
static const uint64_t read_order_salt = 0x9017901790179017;
static const int64_t first_date = 1577836800000;
static const uint64_t blob_salt = 0xB10BB10BB10BB10B;

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

uint64_t splitmix_draw(uint64_t *state) {
    *state += golden_gamma;
    return mix(*state);
}

static uint64_t stream_start(uint64_t seed, uint64_t index) {
    return mix(seed + (index + 1) * golden_gamma);
}

// The bytes are little-endian by definition; this machine's own order is used because x86-64 and arm64 agree with it.
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "value bytes are written in the machine's order");

void sequential_key(uint64_t index, uint8_t key[KEY_SIZE]) {
    memset(key, 0, 8);
    uint64_t big_endian = __builtin_bswap64(index + 1);
    memcpy(key + 8, &big_endian, 8);
}

static void draw_key(const Workload *workload, uint64_t index, uint64_t *state, uint8_t key[KEY_SIZE]) {
    uint64_t halves[2] = {splitmix_draw(state), 0};
    halves[1] = splitmix_draw(state);
    if (workload->sequential) {
        sequential_key(index, key);
    } else {
        memcpy(key, halves, KEY_SIZE);
    }
}

void post_key(const Workload *workload, uint64_t index, uint8_t key[KEY_SIZE]) {
    uint64_t state = stream_start(workload->seed, index);
    draw_key(workload, index, &state, key);
}

// Appends words until `words` of them or `capacity` bytes are there, and returns the length.
static size_t draw_words(uint64_t *state, char *text, size_t words, size_t capacity) {
    size_t length = 0;
    uint64_t draw = 0;
    for (size_t word = 0; word < words && length < capacity; word++) {
        draw = word % 8 == 0 ? splitmix_draw(state) : draw >> 8;
        if (word > 0) {
            text[length++] = ' ';
        }
        for (const char *letter = workload_words[draw & 0xFF]; *letter != 0 && length < capacity; letter++) {
            text[length++] = *letter;
        }
    }
    return length;
}

static void draw_letters(uint64_t *state, char *text, size_t length) {
    uint64_t draw = 0;
    for (size_t letter = 0; letter < length; letter++) {
        draw = letter % 10 == 0 ? splitmix_draw(state) : draw >> 6;
        text[letter] = workload_letters[draw & 0x3F];
    }
}

void post_generate(const Workload *workload, uint64_t index, PostBytes *bytes, Post *post) {
    uint64_t state = stream_start(workload->seed, index);
    draw_key(workload, index, &state, bytes->key);
    post->key = bytes->key;
    post->title = bytes->title;
    post->content = bytes->content;
    post->views = (int64_t)(splitmix_draw(&state) >> 44);
    post->content_length = CONTENT_SIZE;
    if (workload->incompressible) {
        post->title_length = 12;
        draw_letters(&state, bytes->title, 12);
        draw_letters(&state, bytes->content, CONTENT_SIZE);
    } else {
        post->title_length = (uint16_t)draw_words(&state, bytes->title, 2, TITLE_CAPACITY);
        draw_words(&state, bytes->content, CONTENT_SIZE, CONTENT_SIZE);
    }
    post->date = first_date + (int64_t)(splitmix_draw(&state) >> 27);
}

size_t post_encode(const Post *post, uint8_t *value) {
    memcpy(value, &post->title_length, 2);
    memcpy(value + 2, &post->content_length, 2);
    memcpy(value + 4, &post->views, 8);
    memcpy(value + 12, &post->date, 8);
    memcpy(value + VALUE_HEADER_SIZE, post->title, post->title_length);
    memcpy(value + VALUE_HEADER_SIZE + post->title_length, post->content, post->content_length);
    return (size_t)VALUE_HEADER_SIZE + post->title_length + post->content_length;
}

size_t post_encoded_size(const uint8_t *value) {
    uint16_t lengths[2];
    memcpy(lengths, value, sizeof lengths);
    return (size_t)VALUE_HEADER_SIZE + lengths[0] + lengths[1];
}

bool post_decode(const uint8_t *key, const uint8_t *value, size_t size, Post *post) {
    if (size < VALUE_HEADER_SIZE || size > VALUE_CAPACITY || size != post_encoded_size(value)) {
        return false;
    }
    memcpy(&post->title_length, value, 2);
    memcpy(&post->content_length, value + 2, 2);
    memcpy(&post->views, value + 4, 8);
    memcpy(&post->date, value + 12, 8);
    post->key = key;
    post->title = (const char *)value + VALUE_HEADER_SIZE;
    post->content = post->title + post->title_length;
    return true;
}

uint64_t post_hash(const Post *post) {
    uint8_t bytes[KEY_SIZE + VALUE_CAPACITY];
    memcpy(bytes, post->key, KEY_SIZE);
    size_t size = post_encode(post, bytes + KEY_SIZE);
    return XXH3_64bits(bytes, KEY_SIZE + size);
}

uint64_t post_touch(const Post *post) {
    uint64_t sum = (uint64_t)post->views + (uint64_t)post->date + post->title_length + post->content_length;
    size_t at = 0;
    for (; at + 8 <= post->content_length; at += 8) {
        uint64_t word;
        memcpy(&word, post->content + at, 8);
        sum += word;
    }
    for (; at < post->content_length; at++) {
        sum += (uint8_t)post->content[at];
    }
    return sum;
}

uint64_t read_order_start(const Workload *workload) {
    return workload->seed ^ read_order_salt;
}

uint64_t read_order_next(uint64_t *state, uint64_t posts) {
    return (uint64_t)(((unsigned __int128)splitmix_draw(state) * posts) >> 64);
}

void blob_generate(const Workload *workload, uint64_t index, uint8_t *bytes, size_t size) {
    uint64_t state = stream_start(workload->seed ^ blob_salt, index);
    for (size_t at = 0; at < size; at += 8) {
        uint64_t draw = splitmix_draw(&state);
        memcpy(bytes + at, &draw, size - at < 8 ? size - at : 8);
    }
}

uint64_t blob_hash(uint64_t index, const uint8_t *bytes, size_t size) {
    return XXH3_64bits_withSeed(bytes, size, index);
}
