"""The rows of a CSV as a workbook, with XlsxWriter in constant memory: with_xlsxwriter.py CSV OUTPUT"""
import csv
import datetime
import sys

import xlsxwriter

DAYS = (5, 6)


def main(source, output):
    book = xlsxwriter.Workbook(output, {"constant_memory": True})
    sheet = book.add_worksheet("hot_water")
    text = book.add_format({"num_format": "@"})
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    sheet.freeze_panes(1, 0)
    with open(source, encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        sheet.write_row(0, 0, next(rows), book.add_format({"bold": True}))
        for number, row in enumerate(rows, 1):
            for column, value in enumerate(row):
                if not value:
                    continue
                if column in DAYS:
                    date = datetime.datetime.strptime(value, "%Y-%m-%d")
                    sheet.write_datetime(number, column, date, day)
                else:
                    sheet.write_string(number, column, value, text)
    sheet.autofilter(0, 0, number, len(row) - 1)
    book.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
