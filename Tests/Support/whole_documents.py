"""APIs whose answer is one document, at their own paths: a module of api_server.py.

    api_server.py Samples/bonds/feed.json --module whole_documents.py

/bonds.json and St. Petersburg's classifiers answer with DATA, every byte as it is in the file; a
classifier that is not known is refused.
"""


def routes(server):
    def classifiers(request):
        if request.parameters.get("classifiersId") != "4":
            return Answer({"status": "error", "responseData": None})
        return Answer(server.document)

    return {
        "/bonds.json": lambda request: Answer(server.document),
        "/UniversalMobileService/classifiers/downloadClassifiers": classifiers,
    }
