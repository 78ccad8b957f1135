/* libcurl, loaded when a request is sent to a URL.

   Linking libcurl would cost every start some milliseconds and megabytes, so only its header is
   used at build time. The functions below call those of the same name in libcurl. The variadic
   ones are split by the type of their argument, because Swift cannot call variadic functions.
   Before any other function, ccurl_load must have succeeded. */
#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

/* Loads the shared library of this name and initializes it. If that fails, writes the reason to
   `why` as a string of at most `room` bytes, and a library that was loaded before stays in use.
   Must not be called by two threads at once. */
bool ccurl_load(const char *library, char *why, size_t room);

/* The versions of libcurl and of the libraries that it uses. */
const char *ccurl_version(void);

CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *handle);
/* Resets all options. Connections stay open. */
void ccurl_easy_reset(CURL *handle);
CURLcode ccurl_easy_perform(CURL *handle);
const char *ccurl_easy_strerror(CURLcode code);

CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value);
/* libcurl copies the string. */
CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value);
/* libcurl keeps the pointer. */
CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value);
CURLcode ccurl_set_write_callback(CURL *handle, CURLoption option, curl_write_callback value);
CURLcode ccurl_set_progress_callback(CURL *handle, curl_xferinfo_callback value);
CURLcode ccurl_set_open_callback(CURL *handle, curl_opensocket_callback value);
CURLcode ccurl_set_request_callback(CURL *handle, curl_prereq_callback value);

CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value);
CURLcode ccurl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value);
/* The string belongs to the handle. */
CURLcode ccurl_get_string(CURL *handle, CURLINFO info, const char **value);

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text);
void ccurl_slist_free_all(struct curl_slist *list);

CURLU *ccurl_url(void);
void ccurl_url_cleanup(CURLU *url);
CURLUcode ccurl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned flags);
/* The caller frees the text with ccurl_free. */
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned flags);
void ccurl_free(void *memory);

#endif
