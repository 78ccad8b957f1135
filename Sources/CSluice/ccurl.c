#include "ccurl.h"

#include <dlfcn.h>
#include <stdio.h>

/* The functions of libcurl that are used, each with its type from the header. */
#define FUNCTIONS(USE) \
  USE(curl_global_init) \
  USE(curl_easy_init) \
  USE(curl_easy_cleanup) \
  USE(curl_easy_reset) \
  USE(curl_easy_perform) \
  USE(curl_easy_strerror) \
  USE(curl_easy_setopt) \
  USE(curl_easy_getinfo) \
  USE(curl_slist_append) \
  USE(curl_slist_free_all) \
  USE(curl_url) \
  USE(curl_url_cleanup) \
  USE(curl_url_set) \
  USE(curl_url_get) \
  USE(curl_free) \
  USE(curl_version)

#define MEMBER(name) __typeof__(name) *p_##name;
struct library {
  FUNCTIONS(MEMBER)
};

static struct library loaded;

bool ccurl_load(const char *library, char *why, size_t room) {
  void *object = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!object) {
    const char *error = dlerror();
    snprintf(why, room, "%s", error ? error : library);
    return false;
  }
  struct library found;
#define RESOLVE(name) \
  if (!(found.p_##name = (__typeof__(name) *)dlsym(object, #name))) { \
    snprintf(why, room, "%s: no %s", library, #name); \
    dlclose(object); \
    return false; \
  }
  FUNCTIONS(RESOLVE)
  CURLcode code = found.p_curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) {
    snprintf(why, room, "%s: %s", library, found.p_curl_easy_strerror(code));
    dlclose(object);
    return false;
  }
  loaded = found;
  return true;
}

const char *ccurl_version(void) { return loaded.p_curl_version(); }

CURL *ccurl_easy_init(void) { return loaded.p_curl_easy_init(); }

void ccurl_easy_cleanup(CURL *handle) { loaded.p_curl_easy_cleanup(handle); }

void ccurl_easy_reset(CURL *handle) { loaded.p_curl_easy_reset(handle); }

CURLcode ccurl_easy_perform(CURL *handle) { return loaded.p_curl_easy_perform(handle); }

const char *ccurl_easy_strerror(CURLcode code) { return loaded.p_curl_easy_strerror(code); }

CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
  return loaded.p_curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value) {
  return loaded.p_curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return loaded.p_curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_set_write_callback(CURL *handle, CURLoption option, curl_write_callback value) {
  return loaded.p_curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_set_progress_callback(CURL *handle, curl_xferinfo_callback value) {
  return loaded.p_curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

CURLcode ccurl_set_open_callback(CURL *handle, curl_opensocket_callback value) {
  return loaded.p_curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}

CURLcode ccurl_set_request_callback(CURL *handle, curl_prereq_callback value) {
  return loaded.p_curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, value);
}

CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value) {
  return loaded.p_curl_easy_getinfo(handle, info, value);
}

CURLcode ccurl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return loaded.p_curl_easy_getinfo(handle, info, value);
}

CURLcode ccurl_get_string(CURL *handle, CURLINFO info, const char **value) {
  return loaded.p_curl_easy_getinfo(handle, info, value);
}

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text) {
  return loaded.p_curl_slist_append(list, text);
}

void ccurl_slist_free_all(struct curl_slist *list) { loaded.p_curl_slist_free_all(list); }

CURLU *ccurl_url(void) { return loaded.p_curl_url(); }

void ccurl_url_cleanup(CURLU *url) { loaded.p_curl_url_cleanup(url); }

CURLUcode ccurl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned flags) {
  return loaded.p_curl_url_set(url, part, text, flags);
}

CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned flags) {
  return loaded.p_curl_url_get(url, part, text, flags);
}

void ccurl_free(void *memory) { loaded.p_curl_free(memory); }
