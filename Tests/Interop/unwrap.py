#!/usr/bin/env python3
"""Takes the envelope on standard input apart: unwrap.py base64|lines|zip|json.

`lines` is base64 in lines of 76 with CR LF, as mail programs write it.
"""
import base64
import io
import json
import sys
import zipfile

answer = json.load(sys.stdin.buffer)
(ours,) = [c for c in answer["responseData"]["classifiers"] if c["classifierId"] == 4]
text = ours["file"].encode("ascii")
form = sys.argv[1]
if form == "lines":
    text = base64.encodebytes(base64.b64decode(text)).replace(b"\n", b"\r\n")
elif form != "base64":
    text = base64.b64decode(text)
    if form == "json":
        archive = zipfile.ZipFile(io.BytesIO(text))
        text = archive.read(archive.namelist()[0])
sys.stdout.buffer.write(text)
