import { figureIn } from '../dictionary/measures.ts'
import { plural } from '../locales/german-measures.ts'
import type { SchemaFormStrings } from './schema-form-strings.ts'

const figure = figureIn('de')

/** The strings of `SchemaForm` in German. */
export const germanForm: SchemaFormStrings = {
  submit: 'Absenden',
  cancel: 'Abbrechen',
  required: '(erforderlich)',
  choose: 'Auswählen…',
  none: 'Keine Angabe',
  value: 'Wert',
  kind: 'Art',
  kindNumber: (number) => `Art ${number}`,
  item: (number) => `Eintrag ${number}`,
  add: (list) => `${list}: Eintrag hinzufügen`,
  remove: (list, number) => `${list}: Eintrag ${number} entfernen`,
  json: 'Gib dies als JSON ein.',
  large: 'Dieses Formular ist zu groß für einzelne Felder. Gib die Werte als JSON ein.',
  schema: 'Schema',
  localTime: 'In deiner Zeitzone.',
  uncheckedPattern: 'Der Agent prüft das Format dieses Werts.',
  credential: 'Gib hier niemals Passwörter ein.',
  summary: (count) => plural(count, { one: '# Feld korrigieren', other: '# Felder korrigieren' }),
  notAccepted: (detail) => `Nicht angenommen: ${detail}`,
  problems: {
    missing: 'Fülle dieses Feld aus.',
    pattern: 'Das hat nicht das erwartete Format.',
    email: 'Gib eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
    uri: 'Gib eine vollständige Adresse ein, zum Beispiel https://example.com.',
    date: 'Gib ein vollständiges Datum ein.',
    'date-time': 'Gib Datum und Uhrzeit vollständig ein.',
    number: 'Gib eine Zahl ein.',
    integer: 'Gib eine ganze Zahl ein.',
    digits: 'Diese Zahl hat zu viele Stellen, um genau gesendet zu werden.',
    unique: 'Jeder Eintrag darf nur einmal vorkommen.',
    json: 'Das ist kein gültiges JSON.',
  },
  limits: {
    minLength: (limit) => `Gib mindestens ${figure(limit)} Zeichen ein.`,
    maxLength: (limit) => `Gib höchstens ${figure(limit)} Zeichen ein.`,
    minimum: (limit) => `Gib ${figure(limit)} oder mehr ein.`,
    maximum: (limit) => `Gib ${figure(limit)} oder weniger ein.`,
    above: (limit) => `Gib mehr als ${figure(limit)} ein.`,
    below: (limit) => `Gib weniger als ${figure(limit)} ein.`,
    multipleOf: (limit) => `Gib ein Vielfaches von ${figure(limit)} ein.`,
    minItems: (limit) =>
      plural(limit, { one: 'Mindestens # Eintrag ist nötig.', other: 'Mindestens # Einträge sind nötig.' }),
    maxItems: (limit) =>
      plural(limit, { one: 'Höchstens # Eintrag ist erlaubt.', other: 'Höchstens # Einträge sind erlaubt.' }),
  },
}
