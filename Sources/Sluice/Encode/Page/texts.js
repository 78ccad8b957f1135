// What the page says, in Russian and in English, and days as people write them.
(function () {
  "use strict";
  const sluice = (window.sluice = window.sluice || {});

  const TEXTS = {
    ru: {
      skip: "К результатам", back: "К списку", language: "Язык",
      searchAddress: "Найдите свой адрес", searchName: "Поиск",
      clear: "Очистить поиск",
      recent: "Недавние запросы", forget: "Забыть",
      all: "Все", now: "Сейчас", soon: "Скоро", later: "Позже", over: "Прошло", none: "Без дат",
      favourites: "Избранное", onlyFavourites: "Только избранное", sort: "Порядок",
      byName: "по названию", byBegin: "по началу", byEnd: "по окончанию",
      show: "Что показать", more: "Показать ещё",
      star: "Добавить в избранное", unstar: "Убрать из избранного",
      seen: "просмотрено", changed: "даты изменились",
      places: ["место", "места", "мест"], addresses: ["адрес", "адреса", "адресов"],
      nothing: "Ничего не нашлось", nothingHere: "Здесь пока пусто",
      tryOther: "Проверьте название улицы и номер дома.",
      tryName: "Проверьте, как написано название.",
      noFavourites: "Нажмите на звёздочку у места, чтобы оно было здесь.",
      noHouse: "Такого дома в данных нет. Ближайшие на этой улице:",
      similar: "Может быть, вы искали:",
      filtered: "Найдено, но скрыто выбором выше. ", showAll: "Показать все",
      noData: "Нет данных", noDataMore: "Файл data.js не загрузился. Откройте страницу ещё раз.",
      emptyData: "В данных нет ни одного места",
      unnamed: "Без названия", house: "дом", building: "корпус", letter: "литер",
      tomorrow: "завтра", today: "сегодня", lastDay: "сегодня последний день",
      inDays: "через {n}", left: "ещё {n}", ago: "{n} назад", yesterday: "вчера",
      longAgo: "больше года назад", ended: "закончилась {when}",
      days: ["день", "дня", "дней"], noDays: "без дат", until: "до {day}", from: "с {day}",
      more1: ["ещё {n} период", "ещё {n} периода", "ещё {n} периодов"],
      cancelled: "отменено", moved: "перенесено с {days}", wasGone: "было в прежних данных",
      periods: "Все даты", date: "Дата", details: "Подробности", more2: "Показать все: {n}",
      timeline: "Даты по месяцам: {list}",
      chart: "{label}: от {low} до {high}, {first} – {last}",
      calendar: "Календарь", subscribe: "Подписаться",
      subscribeMore: "Календарь сам узнает о переносах",
      google: "Google Календарь", outlook: "Outlook", download: "Скачать .ics",
      address: "Адрес календаря", copy: "Копировать", copied: "Скопировано",
      street: "Вся улица", subscribeStreet: "Подписаться на улицу",
      downloadStreet: "Скачать .ics улицы",
      offline: "Страница открыта с диска: ссылки для подписки и QR-код появятся на сервере.",
      qr: "QR-код", qrPage: "эта страница", qrCalendar: "подписка",
      qrAlt: "QR-код: {text}",
      reminder: "Напоминание", remindMe: "Когда напомнить",
      reminder0: "накануне в 19:00", reminder1: "в первый день в 8:00",
      reminder2: "за 3 дня, в 19:00", reminder3: "за неделю, в 19:00",
      getReminder: "Скачать с напоминанием",
      reminderMore: "Файл добавит даты с напоминанием в ваш календарь. " +
        "Подписка напоминает так, как настроено в самом календаре.",
      share: "Ссылка и QR-код",
      dataOf: "Данные от {day}", checked: "Проверено {when}",
      stale: "Верно на {when}. С тех пор источник не отвечал",
      staleData: "Верно на {when}. Новые данные не приняты",
      unchecked: "Не проверялось с {when}", allOver: "Все даты в данных уже прошли. Новых пока нет.",
      asOf: "Показано, как это было бы {day}.", asOfToday: "Вернуться к сегодняшнему дню",
      downloads: "Скачать таблицу", sources: "Источник", made: "Сделано программой sluice {version}",
      pick: "Выберите место в списке", pickMore: "Здесь появятся даты, календарь и напоминание.",
      overview: "Сегодня, {day}", byDay: "Мест по дням: больше всего {n}, {day}",
      yes: "да", no: "нет",
    },
    en: {
      skip: "Skip to results", back: "Back to the list", language: "Language",
      searchAddress: "Find your address", searchName: "Search",
      clear: "Clear the search",
      recent: "Recent searches", forget: "Forget",
      all: "All", now: "Now", soon: "Soon", later: "Later", over: "Over", none: "No dates",
      favourites: "Favourites", onlyFavourites: "Only favourites", sort: "Sort",
      byName: "by name", byBegin: "by begin", byEnd: "by end",
      show: "Show", more: "Show more",
      star: "Add to favourites", unstar: "Remove from favourites",
      seen: "seen", changed: "dates have changed",
      places: ["place", "places"], addresses: ["address", "addresses"],
      nothing: "Nothing found", nothingHere: "Nothing here yet",
      tryOther: "Check the name of the street and the number of the house.",
      tryName: "Check the spelling of the name.",
      noFavourites: "Press the star beside a place to keep it here.",
      noHouse: "The data has no such house. The nearest in this street:",
      similar: "Did you mean:",
      filtered: "Found, but hidden by the choice above. ", showAll: "Show all",
      noData: "No data", noDataMore: "The file data.js did not load. Open the page again.",
      emptyData: "The data has no places",
      unnamed: "Unnamed", house: "house", building: "building", letter: "letter",
      tomorrow: "tomorrow", today: "today", lastDay: "last day today",
      inDays: "in {n}", left: "{n} left", ago: "{n} ago", yesterday: "yesterday",
      longAgo: "more than a year ago", ended: "ended {when}",
      days: ["day", "days"], noDays: "no dates", until: "until {day}", from: "from {day}",
      more1: ["{n} more period", "{n} more periods"],
      cancelled: "cancelled", moved: "moved from {days}", wasGone: "from earlier data",
      periods: "All dates", date: "Date", details: "Details", more2: "Show all {n}",
      timeline: "Dates by month: {list}",
      chart: "{label}: {low} to {high}, {first} – {last}",
      calendar: "Calendar", subscribe: "Subscribe",
      subscribeMore: "Your calendar learns of changes by itself",
      google: "Google Calendar", outlook: "Outlook", download: "Download .ics",
      address: "Address of the calendar", copy: "Copy", copied: "Copied",
      street: "The whole street", subscribeStreet: "Subscribe to the street",
      downloadStreet: "Download .ics of the street",
      offline: "The page was opened from a disk: links to subscribe and the QR code appear on a server.",
      qr: "QR code", qrPage: "this page", qrCalendar: "subscription",
      qrAlt: "QR code: {text}",
      reminder: "Reminder", remindMe: "When to remind",
      reminder0: "the evening before, 19:00", reminder1: "on the first day, 8:00",
      reminder2: "3 days before, 19:00", reminder3: "a week before, 19:00",
      getReminder: "Download with a reminder",
      reminderMore: "The file adds the dates with a reminder to your calendar. " +
        "A subscription reminds as your calendar program is set up to.",
      share: "Link and QR code",
      dataOf: "Data of {day}", checked: "Checked {when}",
      stale: "Right at {when}. The source has not been reached since",
      staleData: "Right at {when}. Newer data was not accepted",
      unchecked: "Not checked since {when}", allOver: "All dates in the data are over. There are no new ones yet.",
      asOf: "Shown as of {day}.", asOfToday: "Back to today",
      downloads: "Download the table", sources: "Source", made: "Made with sluice {version}",
      pick: "Choose a place in the list", pickMore: "Its dates, calendar and reminder appear here.",
      overview: "Today, {day}", byDay: "Places by day: most on {day}, {n}",
      yes: "yes", no: "no",
    },
  };

  const MONTHS = {
    ru: ["января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября",
      "октября", "ноября", "декабря"],
    en: ["January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December"],
  };
  const SHORT_MONTHS = {
    ru: ["янв", "фев", "мар", "апр", "май", "июн", "июл", "авг", "сен", "окт", "ноя", "дек"],
    en: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
  };

  let language = "en";

  /** Puts values into a text: `{n}`. */
  function t(key, values) {
    return fill(TEXTS[language][key], values);
  }

  function fill(text, values) {
    return text.replace(/\{(\w+)\}/g, (whole, name) =>
      (values && name in values ? String(values[name]) : whole));
  }

  /** The form of a word for a number: of `день`, `дня`, `дней`. */
  function form(n, forms) {
    if (language === "en") return forms[n === 1 ? 0 : 1];
    if (n % 10 === 1 && n % 100 !== 11) return forms[0];
    return forms[n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14) ? 1 : 2];
  }

  /** A number with the word that it counts: `5 дней`. */
  function count(n, key) {
    const forms = TEXTS[language][key];
    return forms[0].includes("{n}")
      ? fill(form(n, forms), { n: number(n) }) : `${number(n)}\u00a0${form(n, forms)}`;
  }

  function number(n) {
    return n.toLocaleString(language);
  }

  /** Year, month from 0 and day of a number of days since 1970. */
  function parts(day) {
    const date = new Date(day * 864e5);
    return [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  }

  /** A day as people write it: `5 июля 2020`. */
  function dayText(day) {
    const [year, month, date] = parts(day);
    return `${date}\u00a0${MONTHS[language][month]} ${year}`;
  }

  /** A day without the year: `5 июля`. */
  function shortDay(day) {
    const [, month, date] = parts(day);
    return `${date}\u00a0${MONTHS[language][month]}`;
  }

  /** Days as people write them: `18–31 мая 2020`, `22 июня – 5 июля 2020`. */
  function daysText(first, last) {
    if (first === last) return dayText(first);
    const [a, b] = [parts(first), parts(last)];
    if (a[0] !== b[0]) return `${dayText(first)} – ${dayText(last)}`;
    if (a[1] !== b[1]) return `${shortDay(first)} – ${dayText(last)}`;
    return `${a[2]}–${dayText(last)}`;
  }

  /** Where days are from today: `ещё 5 дней`, `через 12 дней`, `закончилась вчера`. */
  function distanceText(first, last, today) {
    const until = first - today;
    const left = last - today + 1;
    if (until === 1) return t("tomorrow");
    if (until > 1) return t("inDays", { n: count(until, "days") });
    if (left >= 1) {
      if (first === last) return t("today");
      return left === 1 ? t("lastDay") : t("left", { n: count(left, "days") });
    }
    const ago = 1 - left;
    const when = ago === 1 ? t("yesterday")
      : ago <= 365 ? t("ago", { n: count(ago, "days") }) : t("longAgo");
    return first === last ? when : t("ended", { when });
  }

  /** How far a feed's clock is ahead of UTC at an instant, in seconds. `clock` is that, or a zone. */
  function offsetAt(seconds, clock) {
    if (typeof clock !== "string") return clock || 0;
    try {
      const format = new Intl.DateTimeFormat("en-US", {
        timeZone: clock, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric",
        hour: "numeric", minute: "numeric", second: "numeric",
      });
      const part = Object.fromEntries(
        format.formatToParts(new Date(seconds * 1000)).map(({ type, value }) => [type, +value]));
      return Date.UTC(
        part.year, part.month - 1, part.day, part.hour, part.minute, part.second) / 1000 - seconds;
    } catch {
      // The browser does not know the zone.
      return 0;
    }
  }

  /** The number of the day at an instant, by the feed's clock. */
  const dayAt = (seconds, clock) => Math.floor((seconds + offsetAt(seconds, clock)) / 86400);

  /** An instant by the feed's clock: `22 ноября 2020, 03:10`. */
  const momentText = (seconds, clock) => localText(seconds + offsetAt(seconds, clock));

  /** The seconds that the clock of an instant's text shows since 1970; NaN for another text. */
  const localSeconds = (text) =>
    (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(`${text.slice(0, 16)}Z`) / 1000 : NaN);

  /** A time of a clock in words. */
  function localText(seconds) {
    const date = new Date(seconds * 1000);
    const two = (value) => String(value).padStart(2, "0");
    return `${dayText(Math.floor(seconds / 86400))}, ` +
      `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  }

  sluice.texts = {
    t, count, number, dayText, shortDay, daysText, distanceText, momentText, dayAt, localSeconds, localText,
    parts,
    monthName: (month) => SHORT_MONTHS[language][month],
    get language() { return language; },
    set language(value) { language = value in TEXTS ? value : "en"; },
    languages: Object.keys(TEXTS),
    keys: Object.fromEntries(Object.entries(TEXTS).map(([name, all]) => [name, Object.keys(all)])),
    /** One of several texts by language: the reader's, or else any. */
    choose: (texts) => (texts && (texts[language] || texts.en || texts.ru)) || "",
  };
})();
