/* libcurl, loaded when a URL is asked for. */
