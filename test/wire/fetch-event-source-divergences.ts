/** SSE reference cases that come out differently because of the package's own parser, by reason. None of them occurs in a CAP packet. */
export const DIVERGENCES: Readonly<Record<string, readonly string[]>> = {
  'A message whose data is empty cannot be told from one without data, such as a comment, and is dropped': [
    'wpt: lines and data parsing (event-data)',
    'ld: empty data',
    'ld: BOM does not affect empty data field',
  ],
  'An empty first data line is forgotten when the next one comes': [
    'ld: LF: 3-line event with empty line at beginning (one chunk)',
    'ld: LF: 3-line event with empty line at beginning (2-byte chunks)',
    'ld: CRLF: 3-line event with empty line at beginning (1-byte chunks)',
    'ld: CRLF: 3-line event with empty line at beginning (2-byte chunks)',
    'ld: CR: 3-line event with empty line at beginning (1-byte chunks)',
    'ld: CR: 3-line event with empty line at beginning (2-byte chunks)',
  ],
  'A line without a colon is skipped, though it is a field with an empty value': [
    'wpt: newline fest',
    'ld: field with no colon',
    'esp: bare data line ended by cr at chunk edge',
  ],
  'An id that is set to nothing looks like no id, so the last one stays current': [
    'wpt: lastEventId resets',
    'ld: last ID can be overridden by an empty value',
  ],
  'A byte order mark is taken off every field name and value, not off the stream alone': [
    'wpt: BOM',
    'ld: BOM only stripped at stream start, not from later data',
    'ld: only first BOM at start is stripped',
  ],
}
