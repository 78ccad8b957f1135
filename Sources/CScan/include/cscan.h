/* Scanning of text, sixteen bytes at a time. */
