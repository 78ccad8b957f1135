#!/usr/bin/env python3
"""khal, which does not wait for the disk: sixty imports would take minutes of nothing but that."""
import os
import sqlite3

from khal.cli import main_khal

connect_synced = sqlite3.connect


def connect(*arguments, **options):
    connection = connect_synced(*arguments, **options)
    connection.execute("PRAGMA synchronous = OFF")
    return connection


sqlite3.connect = connect
os.fsync = lambda file: None
main_khal()
