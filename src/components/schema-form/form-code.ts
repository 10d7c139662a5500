import { FormBody } from './form-body.tsx'
import type { FormCode } from './lazy-form.ts'

/** What a page fetches when it shows its first form. */
export const formCode: FormCode = { Body: FormBody }
