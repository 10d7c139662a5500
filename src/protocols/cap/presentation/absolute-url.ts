import * as z from 'zod/mini'

/**
 * Text that is an absolute URL of any scheme, `javascript:` and `data:` included (CAP section 7, row
 * 33): a schema of shape, no gate. Kept as written.
 */
export const absoluteUrl = /* @__PURE__ */ z.custom<string>(
  (value) => typeof value === 'string' && URL.canParse(value),
  'must be an absolute URL',
)
