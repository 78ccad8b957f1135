/* Reads a calendar with libical and counts what libical finds wrong with it.
 *
 *     icalcheck FILE EVENTS
 *
 * Without a METHOD icalrestriction_check looks at the calendar's own properties only. So the
 * calendar is checked twice: as it is, and once more as if it were published (METHOD:PUBLISH and
 * an ORGANIZER are added in memory), because that table says how often DTSTAMP, UID, SUMMARY and
 * the others may stand in an event. Exits 1 when anything is wrong, 2 when it cannot tell. */
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints and counts the X-LIC-ERROR properties of a component and of those inside. */
static int print_errors(icalcomponent *component) {
  int count = 0;
  icalproperty *property;
  for (property = icalcomponent_get_first_property(component, ICAL_XLICERROR_PROPERTY); property;
       property = icalcomponent_get_next_property(component, ICAL_XLICERROR_PROPERTY)) {
    if (count < 5) {
      printf("%s: %s\n", icalcomponent_kind_to_string(icalcomponent_isa(component)),
             icalproperty_get_xlicerror(property));
    }
    count++;
  }
  icalcomponent *inner;
  for (inner = icalcomponent_get_first_component(component, ICAL_ANY_COMPONENT); inner;
       inner = icalcomponent_get_next_component(component, ICAL_ANY_COMPONENT)) {
    count += print_errors(inner);
  }
  return count;
}

/* Makes the calendar one that libical takes for published. */
static void publish(icalcomponent *calendar) {
  icalcomponent *event;
  icalcomponent_set_method(calendar, ICAL_METHOD_PUBLISH);
  for (event = icalcomponent_get_first_component(calendar, ICAL_VEVENT_COMPONENT); event;
       event = icalcomponent_get_next_component(calendar, ICAL_VEVENT_COMPONENT)) {
    icalcomponent_add_property(event, icalproperty_new_organizer("mailto:nobody@example.org"));
  }
}

static char *read_all(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  char *text = NULL;
  size_t count = 0, got;
  do {
    char *more = realloc(text, count + 65537);
    if (!more) exit(2);
    text = more;
    got = fread(text + count, 1, 65536, file);
    count += got;
  } while (got > 0);
  fclose(file);
  text[count] = 0;
  if (strlen(text) != count) {
    printf("a NUL stands in the file\n");
    exit(1);
  }
  return text;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: icalcheck FILE EVENTS\n");
    return 2;
  }
  char *text = read_all(argv[1]);
  if (!text) {
    perror(argv[1]);
    return 2;
  }
  icalcomponent *calendar = icalparser_parse_string(text);
  if (!calendar || icalcomponent_isa(calendar) != ICAL_VCALENDAR_COMPONENT) {
    printf("libical sees no calendar here\n");
    return 1;
  }
  int events = icalcomponent_count_components(calendar, ICAL_VEVENT_COMPONENT);
  int parsed = icalcomponent_count_errors(calendar);
  int plain = icalrestriction_check(calendar);
  publish(calendar);
  int published = icalrestriction_check(calendar);
  int shown = print_errors(calendar);
  int wrong = parsed != 0 || shown != 0 || !plain || !published || events != atoi(argv[2]);
  printf("events: %d of %s, parse errors: %d, X-LIC-ERROR: %d, restrictions: %s, published: %s\n",
         events, argv[2], parsed, shown, plain ? "kept" : "broken", published ? "kept" : "broken");
  icalcomponent_free(calendar);
  free(text);
  return wrong;
}
