"""Takes the records' JSON out of the API's answer."""
import base64
import io
import json
import zipfile


def open_zip(path):
    """The zip in the answer, opened."""
    with open(path, encoding="utf-8") as file:
        answer = json.load(file)
    for classifier in answer["responseData"]["classifiers"]:
        if classifier["classifierId"] == 4:
            return zipfile.ZipFile(io.BytesIO(base64.b64decode(classifier["file"])))
    raise SystemExit("no classifier 4")


def read(path):
    """The JSON, as bytes."""
    archive = open_zip(path)
    return archive.read(archive.infolist()[0])
