import * as z from 'zod/mini'
import { dateTime, maybeText, name, number, optional, text } from './json-schemas.ts'

export const permissionRequestSchema = /* @__PURE__ */ z.object({
  permission: text,
  resource: text,
  operation: text,
  reason: maybeText,
  requested_lease_seconds: optional(number),
})

/** `lease_seconds` is what all three published SDKs read. */
export const permissionGrantSchema = /* @__PURE__ */ z.object({
  permission: maybeText,
  resource: maybeText,
  operation: maybeText,
  lease_id: maybeText,
  lease_seconds: optional(number),
  granted_by: maybeText,
  expires_at: optional(dateTime),
})

export const permissionDenySchema = /* @__PURE__ */ z.object({
  permission: maybeText,
  resource: maybeText,
  operation: maybeText,
  reason: maybeText,
  code: maybeText,
})

export const leaseGrantedSchema = /* @__PURE__ */ z.object({
  lease_id: name,
  permission: text,
  resource: text,
  operation: text,
  expires_at: dateTime,
})

export const leaseExtendedSchema = /* @__PURE__ */ z.object({ lease_id: name, expires_at: dateTime })

export const leaseRevokedSchema = /* @__PURE__ */ z.object({ lease_id: name, reason: text })

export const leaseRefreshSchema = /* @__PURE__ */ z.object({
  lease_id: name,
  requested_seconds: optional(number),
  extension_seconds: optional(number),
})
