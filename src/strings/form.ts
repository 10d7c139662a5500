import { plural } from './english-measures.ts'
import { figureIn } from './measures.ts'

/** What may be wrong with an entry. */
type Fault =
  | 'missing'
  | 'pattern'
  | 'email'
  | 'uri'
  | 'date'
  | 'date-time'
  | 'number'
  | 'integer'
  | 'digits'
  | 'unique'
  | 'json'

/** What may be wrong with it that has a limit. */
type LimitedFault =
  | 'minLength'
  | 'maxLength'
  | 'minimum'
  | 'maximum'
  | 'above'
  | 'below'
  | 'multipleOf'
  | 'minItems'
  | 'maxItems'

/** Every word of {@link SchemaForm}. Functions get the values they mention. */
export interface SchemaFormStrings {
  readonly submit: string
  readonly cancel: string
  /** Behind the name of a field that must be filled in. */
  readonly required: string
  /** The option of a list that stands for no choice yet. */
  readonly choose: string
  /** The option of a list that stands for no value. */
  readonly none: string
  /** Names a field that has no name. */
  readonly value: string
  /** Names the list of the kinds of value there are to choose from. */
  readonly kind: string
  /** Names a kind that has no name, counted from 1. */
  readonly kindNumber: (number: number) => string
  /** Names a row of a list, counted from 1. */
  readonly item: (number: number) => string
  readonly add: (list: string) => string
  readonly remove: (list: string, number: number) => string
  /** Help of a field that takes JSON text. */
  readonly json: string
  /** Help of a form that is too large for fields. */
  readonly large: string
  /** Opens the schema. */
  readonly schema: string
  readonly localTime: string
  /** The agent checks a pattern that is not run here. */
  readonly uncheckedPattern: string
  readonly credential: string
  /** Heading of the list of what is wrong. */
  readonly summary: (count: number) => string
  /** What the validator says, in English. */
  readonly notAccepted: (detail: string) => string
  readonly problems: Readonly<Record<Fault, string>>
  readonly limits: Readonly<Record<LimitedFault, (limit: number) => string>>
}

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
