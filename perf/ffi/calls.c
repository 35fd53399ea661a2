// Times calls of NIXL's and the Mooncake store's C API from C; the yardstick of `penstock bench ffi`.
// usage: calls NIXL NIXL_PRELOAD STORE STORE_PRELOAD MASTER FOLDER SECONDS CALL:BATCH ...
//   libraries and what is opened before them (colons between), - for one that is absent; MASTER host:port
// Prints a JSON line for each call: nanoseconds of one call, from samples of BATCH calls.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  bool prog_thread, listen_thread;
  int listen_port, sync;
  unsigned num_workers;
  uint64_t pthr_delay_us, lthr_delay_us;
  bool telemetry;
} agent_config;

enum { MOST_SAMPLES = 1 << 20, KEYS = 1024, HINT = 256, VALUE = 4096 };

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void must(const char *what, long got, long want) {
  if (got == want) return;
  fprintf(stderr, "Error: %s gave %ld, not %ld\n", what, got, want);
  exit(1);
}

static void *open_all(char *preload, const char *library) {
  char *rest = NULL;
  for (char *one = strtok_r(preload, ":", &rest); one; one = strtok_r(NULL, ":", &rest)) dlopen(one, RTLD_LAZY);
  void *handle = dlopen(library, RTLD_LAZY);
  if (!handle) {
    fprintf(stderr, "Error: %s\n", dlerror());
    exit(1);
  }
  return handle;
}

#define NIXL(X) \
  X(bool, is_stub, void) X(int, create_configured_agent, const char *, void *, void **) \
  X(int, get_plugin_params, void *, const char *, void **, void **) X(int, create_backend, void *, const char *, void *, void **) \
  X(int, get_local_md, void *, void **, size_t *) X(int, load_remote_md, void *, void *, size_t, char **) \
  X(int, check_remote_md, void *, const char *, void *) X(int, gen_notif, void *, const char *, void *, size_t, void *) \
  X(int, create_notif_map, void **) X(int, get_notifs, void *, void *, void *) X(int, notif_map_size, void *, size_t *) \
  X(int, notif_map_get_agent_at, void *, size_t, char **) X(int, notif_map_get_notifs_size, void *, char *, size_t *) \
  X(int, notif_map_clear, void *) X(int, create_opt_args, void **) X(int, opt_args_add_backend, void *, void *) \
  X(int, create_reg_dlist, int, void **) X(int, reg_dlist_add_desc, void *, uintptr_t, size_t, uint64_t, const void *, size_t) \
  X(int, create_query_resp_list, void **) X(int, destroy_query_resp_list, void *) X(int, query_mem, void *, void *, void *, void *) \
  X(int, destroy_agent, void *)
#define STORE(X) \
  X(void *, create, void) X(void, destroy, void *) \
  X(int, setup, void *, const char *, const char *, uint64_t, uint64_t, const char *, const char *, const char *) \
  X(int, put, void *, const char *, const void *, size_t, void *) X(int, is_exist, void *, const char *) \
  X(int, batch_is_exist, void *, const char **, size_t, int *) X(int64_t, get_into, void *, const char *, void *, size_t)
#define DECLARE(type, name, ...) static type (*name)(__VA_ARGS__);
NIXL(DECLARE)
STORE(DECLARE)

static void *agent_a, *agent_b, *map, *posix_options, *files, *store;
static char hint[HINT], value[VALUE];
static const char *present[KEYS];
static int results[KEYS];

static void *made(const char *plugin, void *agent) {
  void *mems, *params, *backend;
  must("get_plugin_params", get_plugin_params(agent, plugin, &mems, &params), 0);
  must("create_backend", create_backend(agent, plugin, params, &backend), 0);
  return backend;
}

static void *agent(const char *name) {
  agent_config config = {.prog_thread = true, .sync = 2, .num_workers = 1, .pthr_delay_us = 1000, .lthr_delay_us = 10000};
  void *agent;
  must("create_configured_agent", create_configured_agent(name, &config, &agent), 0);
  made("UCX", agent);
  return agent;
}

static void prepare_nixl(void *library, const char *folder) {
#define LOOK(type, name, ...) name = (type(*)(__VA_ARGS__))dlsym(library, "nixl_capi_" #name);
  NIXL(LOOK)
  agent_a = agent("A");
  agent_b = agent("B");
  void *md;
  size_t size;
  char *name;
  must("get_local_md", get_local_md(agent_b, &md, &size), 0);
  must("load_remote_md", load_remote_md(agent_a, md, size, &name), 0);
  must("create_notif_map", create_notif_map(&map), 0);
  void *posix = made("POSIX", agent_a);
  must("create_opt_args", create_opt_args(&posix_options), 0);
  must("opt_args_add_backend", opt_args_add_backend(posix_options, posix), 0);
  must("create_reg_dlist", create_reg_dlist(4, &files), 0);
  for (int i = 0; i < 2; i++) {
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/page-%d", folder, i);
    must("reg_dlist_add_desc", reg_dlist_add_desc(files, 0, 0, 0, path, (size_t)length), 0);
  }
}

static void prepare_store(void *library, const char *master) {
#undef LOOK
#define LOOK(type, name, ...) name = (type(*)(__VA_ARGS__))dlsym(library, "mooncake_store_" #name);
  STORE(LOOK)
  store = create();
  must("setup", setup(store, "127.0.0.1", "P2PHANDSHAKE", 32u << 20, 16u << 20, "tcp", "", master), 0);
  for (int i = 0; i < KEYS; i++) {
    char *key = malloc(32);
    snprintf(key, 32, "c-page-%d_0_k", i);
    present[i] = key;
    must("put", put(store, key, value, VALUE, NULL), 0);
  }
}

static void drain(int want) {
  int got = 0;
  while (got < want) {
    size_t senders = 0, count = 0;
    char *name;
    must("get_notifs", get_notifs(agent_b, map, NULL), 0);
    must("notif_map_size", notif_map_size(map, &senders), 0);
    if (!senders) continue;
    must("get_agent_at", notif_map_get_agent_at(map, 0, &name), 0);
    must("get_notifs_size", notif_map_get_notifs_size(map, name, &count), 0);
    got += (int)count;
    notif_map_clear(map);
  }
}

static void query(void) {
  void *answers;
  must("create_query_resp_list", create_query_resp_list(&answers), 0);
  must("query_mem", query_mem(agent_a, files, answers, posix_options), 0);
  must("destroy_query_resp_list", destroy_query_resp_list(answers), 0);
}

static void call(const char *name, int batch) {
#define TIMES(statement) for (int i = 0; i < batch; i++) statement
  size_t size;
  if (!strcmp(name, "is_stub")) TIMES(must(name, is_stub(), false));
  else if (!strcmp(name, "notif_map_size")) TIMES(must(name, notif_map_size(map, &size), 0));
  else if (!strcmp(name, "get_notifs")) TIMES(must(name, get_notifs(agent_b, map, NULL), 0));
  else if (!strcmp(name, "check_remote_md")) TIMES(must(name, check_remote_md(agent_a, "B", NULL), 0));
  else if (!strcmp(name, "gen_notif")) TIMES(must(name, gen_notif(agent_a, "B", hint, HINT, NULL), 0));
  else if (!strcmp(name, "query_mem")) TIMES(query());
  else if (!strcmp(name, "is_exist.hit")) TIMES(must(name, is_exist(store, present[0]), 1));
  else if (!strcmp(name, "is_exist.miss")) TIMES(must(name, is_exist(store, "c-nowhere_0_k"), 0));
  else if (!strncmp(name, "batch_is_exist.", 15)) {
    size_t keys = (size_t)atoi(name + 15);
    TIMES(must(name, batch_is_exist(store, present, keys, results), 0));
    must(name, results[keys - 1], 1);
  } else if (!strcmp(name, "get_into")) TIMES(must(name, get_into(store, present[0], value, VALUE), VALUE));
  else must("unknown call", 1, 0);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void measure(char *item, double seconds) {
  static double samples[MOST_SAMPLES];
  char *colon = strchr(item, ':');
  int batch = atoi(colon + 1);
  *colon = 0;
  int count = 0;
  // The first half warms up what there is to warm.
  for (int half = 0; half < 2; half++) {
    uint64_t end = now() + (uint64_t)(seconds * 1e9 / 2);
    for (count = 0; count < MOST_SAMPLES && (count < 20 || now() < end); count++) {
      uint64_t start = now();
      call(item, batch);
      samples[count] = (double)(now() - start) / batch;
      if (!strcmp(item, "gen_notif")) drain(batch);
    }
  }
  qsort(samples, (size_t)count, sizeof *samples, ascending);
  printf("{\"call\":\"%s\",\"p50Ns\":%.1f,\"p99Ns\":%.1f,\"samples\":%d}\n", item, samples[count / 2], samples[count * 99 / 100], count);
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc < 8) return 2;
  if (strcmp(argv[1], "-")) prepare_nixl(open_all(argv[2], argv[1]), argv[6]);
  if (strcmp(argv[3], "-")) prepare_store(open_all(argv[4], argv[3]), argv[5]);
  for (int i = 8; i < argc; i++) measure(argv[i], atof(argv[7]));
  if (store) destroy(store);
  if (agent_a) {
    destroy_agent(agent_a);
    destroy_agent(agent_b);
  }
  return 0;
}
