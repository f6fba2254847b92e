"""Dates in words, digits and calendars of many languages, and as programs write them."""

from pathlib import Path
from time import process_time

from tests.support.tables import table

from sitestencil.page import dates
from sitestencil.page.dates import dates_in, iso_date, month_number
from sitestencil.page.lists import read_lists

# Each is August 17 or 9, 2021, in a page of the language.
IN_WORDS = {
    "be": "17 жніўня 2021",
    "bg": "17 август 2021 \u0433.",
    "ca": "17 d\u2019agost de 2021",
    "cs": "17. srpna 2021",
    "cy": "17 Awst 2021",
    "da": "17. aug. 2021",
    "de": "Dienstag, 17. August 2021, 10:15 Uhr",
    "el": "17 Αυγούστου 2021",
    "en": "Tuesday the 17th of August, 2021",
    "es": "17 de agosto de 2021",
    "et": "17. august 2021",
    "eu": "2021ko abuztuaren 17a",
    "fi": "tiistaina 17. elokuuta 2021",
    "fr": "17 août 2021",
    "ga": "17 Lúnasa 2021",
    "hr": "17. kolovoza 2021.",
    "hu": "2021. augusztus 17.",
    "hy": "17 օգոստոսի, 2021 թ.",
    "is": "17. ágúst 2021",
    "it": "17 agosto 2021",
    "lt": "2021 m. rugpjūčio 17 d.",
    "lv": "2021. gada 17. augusts",
    "mk": "17 август 2021",
    "mt": "17 ta\u2019 Awwissu 2021",
    "nl": "17 augustus 2021",
    "pl": "17 sierpnia 2021",
    "pt": "17 de ago. de 2021",
    "ro": "17 august 2021",
    "ru": "17 августа 2021 \u0433., 10:15",
    "sk": "17. augusta 2021",
    "sl": "17. avgust 2021",
    "sq": "17 gusht 2021",
    "sr": "17. август 2021.",
    "sv": "17 augusti 2021",
    "tr": "17 Ağustos 2021 Sal\u0131",
    "uk": "17 серпня 2021 \u0440.",
    "ar": "\u0661\u0667 أغسطس \u0662\u0660\u0662\u0661",
    "ar-LB": "17 آب 2021",
    "fa": "\u06f2\u06f6 مرداد \u06f1\u06f4\u06f0\u06f0",
    "he": "17 באוגוסט 2021",
    "hi": "17 अगस्त 2021",
    "id": "17 Agustus 2021",
    "ja": "令和3年8月17日",
    "ko": "2021년 8월 17일 화요일",
    "th": "17 สิงหาคม 2564",
    "vi": "Ngày 17 tháng 8 năm 2021",
    "zh": "2021年8月17日 10:15",
}


def test_dates_in_words_of_many_languages_are_read() -> None:
    assert {language: iso_date(text, language) for language, text in IN_WORDS.items()} == dict.fromkeys(
        IN_WORDS, "2021-08-17"
    )


@table(
    ("text", "language", "date"),
    [
        ("17.08.21", "", "2021-08-17"),
        ("2021/08/17 9:30", "", "2021-08-17T09:30:00"),
        ("20210817093000", "", "2021-08-17T09:30:00"),
        ("1629192600000", "", "2021-08-17"),
        ("Tue Aug 17 2021 09:30:00 GMT-0300 (Brasilia Standard Time)", "", "2021-08-17T09:30:00-03:00"),
        ("2021-08-17T09:30:24.0000000Z", "", "2021-08-17T09:30:24+00:00"),
        ("17-08-2021 09:30", "", "2021-08-17"),
        ("2021. 8. 17.", "ko", "2021-08-17"),
        ("2564-08-17", "", "2021-08-17"),
        ("1400/05/26", "fa", "2021-08-17"),
        ("9/8/2021", "fr", "2021-08-09"),
        ("9/8/2021", "en-GB", "2021-08-09"),
        ("9/8/2021", "en-US", None),
        ("9/8/2021", "", None),
        ("3. listopada 2021.", "hr", "2021-10-03"),
        ("3 listopada 2021", "pl", "2021-11-03"),
        ("1970-01-01T00:00:00Z", "", None),
        ("1970-01-01", "", None),
        ("9999-12-31", "", None),
        ("0000-00-00 00:00:00", "", None),
        ("Tue Xyz 17 2021 09:30:00", "", None),
        ("1.2.10", "", None),
        ("Marathon 3, 2021", "", None),
        ("From 17 August 2021 we tie all of our knots twice", "", None),
    ],
)
def test_other_forms_of_dates(text: str, language: str, date: str | None) -> None:
    assert iso_date(text, language) == date


def test_each_name_of_a_month_stands_in_one_list() -> None:
    lists = read_lists(Path(dates.__file__).with_name("months.txt"))
    names = [name for month in range(1, 13) for name in lists[str(month)]]
    assert len(set(names)) == len(names)
    assert all(map(month_number, names))


def test_dates_of_a_text_have_their_places() -> None:
    text = "Od 3. května 2021 do ٩ أغسطس ٢٠٢١"
    assert [(text[begin:end], day) for begin, end, day in dates_in(text)] == [
        ("3. května 2021", "2021-05-03"),
        ("٩ أغسطس ٢٠٢١", "2021-08-09"),
    ]


def test_long_texts_of_digits_and_words_take_no_time() -> None:
    started = process_time()
    for text in ("1. " * 20_000, "2021 " * 20_000, "a" * 50_000, "17 maj " * 10_000, "1/" * 30_000):
        list(dates_in(text))
    assert process_time() - started < 3
