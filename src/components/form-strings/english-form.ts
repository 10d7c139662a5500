import { figureIn } from '../dictionary/measures.ts'
import { plural } from '../dictionary/english-measures.ts'
import type { SchemaFormStrings } from './schema-form-strings.ts'

const figure = figureIn('en')

/** The strings of `SchemaForm` in English. */
export const englishForm: SchemaFormStrings = {
  submit: 'Submit',
  cancel: 'Cancel',
  required: '(required)',
  choose: 'Choose…',
  none: 'None',
  value: 'Value',
  kind: 'Kind',
  kindNumber: (number) => `Kind ${number}`,
  item: (number) => `Item ${number}`,
  add: (list) => `Add to ${list}`,
  remove: (list, number) => `Remove item ${number} from ${list}`,
  json: 'Enter this as JSON.',
  large: 'This form is too large to show as fields. Enter the values as JSON.',
  schema: 'Schema',
  localTime: 'In your time zone.',
  uncheckedPattern: 'The agent checks the format of this value.',
  credential: 'Never enter passwords here.',
  summary: (count) => plural(count, { one: 'Correct # field', other: 'Correct # fields' }),
  notAccepted: (detail) => `Not accepted: ${detail}`,
  problems: {
    missing: 'Fill in this field.',
    pattern: 'This does not have the expected format.',
    email: 'Enter an email address, such as name@example.com.',
    uri: 'Enter a complete address, such as https://example.com.',
    date: 'Enter a complete date.',
    'date-time': 'Enter a complete date and time.',
    number: 'Enter a number.',
    integer: 'Enter a whole number.',
    digits: 'This number has too many digits to be sent exactly.',
    unique: 'Each item may occur only once.',
    json: 'This is not valid JSON.',
  },
  limits: {
    minLength: (limit) => plural(limit, { one: 'Enter at least # character.', other: 'Enter at least # characters.' }),
    maxLength: (limit) => plural(limit, { one: 'Enter at most # character.', other: 'Enter at most # characters.' }),
    minimum: (limit) => `Enter ${figure(limit)} or more.`,
    maximum: (limit) => `Enter ${figure(limit)} or less.`,
    above: (limit) => `Enter more than ${figure(limit)}.`,
    below: (limit) => `Enter less than ${figure(limit)}.`,
    multipleOf: (limit) => `Enter a multiple of ${figure(limit)}.`,
    minItems: (limit) => plural(limit, { one: 'At least # item is needed.', other: 'At least # items are needed.' }),
    maxItems: (limit) => plural(limit, { one: 'At most # item is allowed.', other: 'At most # items are allowed.' }),
  },
}
